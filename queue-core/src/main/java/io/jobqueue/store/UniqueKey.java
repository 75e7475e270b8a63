package io.jobqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.OnDuplicate;

/**
 * A key that no two live jobs of a queue have.
 *
 * @param value the key
 * @param onDuplicate what to do where it is taken
 * @param dedupeFor how long it stays taken after a success, {@code null} for not at all
 */
public record UniqueKey(String value, OnDuplicate onDuplicate, @Nullable Duration dedupeFor) {
}
