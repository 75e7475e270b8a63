package io.jobqueue;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Which jobs a query is about.
 */
abstract class JobFilter {

	static final int DEFAULT_LIMIT = 50;

	@Nullable String queue;

	Set<JobState> states = Set.of();

	@Nullable String type;

	@Nullable String key;

	@Nullable String group;

	@Nullable UUID root;

	@Nullable String error;

	@Nullable Instant enqueuedFrom;

	@Nullable Instant enqueuedBefore;

	@Nullable Instant finishedFrom;

	@Nullable Instant finishedBefore;

	@Nullable Long fromPosition;

	@Nullable String after;

	int limit = DEFAULT_LIMIT;

	JobFilter() {
	}

	JobFilter(JobFilter other) {
		this.queue = other.queue;
		this.states = other.states;
		this.type = other.type;
		this.key = other.key;
		this.group = other.group;
		this.root = other.root;
		this.error = other.error;
		this.enqueuedFrom = other.enqueuedFrom;
		this.enqueuedBefore = other.enqueuedBefore;
		this.finishedFrom = other.finishedFrom;
		this.finishedBefore = other.finishedBefore;
		this.fromPosition = other.fromPosition;
		this.after = other.after;
		this.limit = other.limit;
	}

	/**
	 * Return the queue, empty for any.
	 * @return the queue's name
	 */
	public Optional<String> queue() {
		return Optional.ofNullable(this.queue);
	}

	/**
	 * Return the states, empty for any.
	 * @return the states, unmodifiable
	 */
	public Set<JobState> states() {
		return this.states;
	}

	/**
	 * Return the type, empty for any.
	 * @return the name of the type
	 */
	public Optional<String> type() {
		return Optional.ofNullable(this.type);
	}

	/**
	 * Return the unique key, empty for any.
	 * @return the key
	 */
	public Optional<String> key() {
		return Optional.ofNullable(this.key);
	}

	/**
	 * Return the group, empty for any.
	 * @return the group's name
	 */
	public Optional<String> group() {
		return Optional.ofNullable(this.group);
	}

	/**
	 * Return the first job of the family, empty for any.
	 * @return its id
	 */
	public Optional<UUID> root() {
		return Optional.ofNullable(this.root);
	}

	/**
	 * Return a part of the last error, empty for any.
	 * @return the text
	 */
	public Optional<String> error() {
		return Optional.ofNullable(this.error);
	}

	/**
	 * Return since when jobs have been enqueued, empty for ever.
	 * @return the time
	 */
	public Optional<Instant> enqueuedFrom() {
		return Optional.ofNullable(this.enqueuedFrom);
	}

	/**
	 * Return before when jobs were enqueued, empty for any time.
	 * @return the time
	 */
	public Optional<Instant> enqueuedBefore() {
		return Optional.ofNullable(this.enqueuedBefore);
	}

	/**
	 * Return since when jobs have finished, empty for ever.
	 * @return the time
	 */
	public Optional<Instant> finishedFrom() {
		return Optional.ofNullable(this.finishedFrom);
	}

	/**
	 * Return before when jobs finished, empty for any time.
	 * @return the time
	 */
	public Optional<Instant> finishedBefore() {
		return Optional.ofNullable(this.finishedBefore);
	}

	/**
	 * Return the first place in the order of enqueueing, empty for any.
	 * @return the place
	 */
	public OptionalLong fromPosition() {
		return (this.fromPosition != null) ? OptionalLong.of(this.fromPosition) : OptionalLong.empty();
	}

	/**
	 * Return where the page begins, empty for the beginning.
	 * @return what a page before has named as {@link JobPage#next()}
	 */
	public Optional<String> after() {
		return Optional.ofNullable(this.after);
	}

	/**
	 * Return how many jobs a page holds at most.
	 * @return the number
	 */
	public int limit() {
		return this.limit;
	}

}
