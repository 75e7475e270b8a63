/**
 * The tables of workflows. Not API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.workflow;

import org.jspecify.annotations.NullMarked;
