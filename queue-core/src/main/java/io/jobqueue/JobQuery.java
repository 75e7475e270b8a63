package io.jobqueue;

import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.Assert;

/**
 * Selects jobs to list or to change. Immutable: each condition returns a copy, and a job
 * has to meet all of them.
 *
 * <pre class="code">
 * JobQuery.all().queue("emails").states(JobState.DEAD).error("timeout")</pre>
 *
 * <p>
 * Some conditions lead to the jobs: a queue to those that are not finished; the states
 * {@link JobState#RUNNING}, {@link JobState#RETRYING}, {@link JobState#DEAD} and
 * {@link JobState#CANCELLED}; a queue together with a key or a group; a root. All others
 * are tested job by job on the way, which is bounded in time: see
 * {@link JobPage#partial()}.
 */
@CheckReturnValue
public final class JobQuery extends JobFilter {

	private static final int MAX_LIMIT = 1_000;

	private static final String HIDDEN = "(hidden)";

	private JobQuery() {
	}

	private JobQuery(JobQuery other) {
		super(other);
	}

	/**
	 * Ask for all jobs, live and archived.
	 * @return the query
	 */
	public static JobQuery all() {
		return new JobQuery();
	}

	/**
	 * Ask for jobs of a queue.
	 * @param queue the queue's name
	 * @return a copy with that condition
	 */
	public JobQuery queue(String queue) {
		JobQuery copy = new JobQuery(this);
		copy.queue = Objects.requireNonNull(queue, "'queue' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs in any of the given states.
	 * @param states the states, none for all
	 * @return a copy with that condition
	 */
	public JobQuery states(JobState... states) {
		JobQuery copy = new JobQuery(this);
		copy.states = Set.of(Objects.requireNonNull(states, "'states' must not be null"));
		return copy;
	}

	/**
	 * Ask for jobs of a type.
	 * @param type the name of the type
	 * @return a copy with that condition
	 */
	public JobQuery type(String type) {
		JobQuery copy = new JobQuery(this);
		copy.type = Objects.requireNonNull(type, "'type' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs with a {@link JobRequest#key unique key}.
	 * @param key the key
	 * @return a copy with that condition
	 */
	public JobQuery key(String key) {
		JobQuery copy = new JobQuery(this);
		copy.key = Objects.requireNonNull(key, "'key' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs of a {@link JobRequest#group group}.
	 * @param group the group's name
	 * @return a copy with that condition
	 */
	public JobQuery group(String group) {
		JobQuery copy = new JobQuery(this);
		copy.group = Objects.requireNonNull(group, "'group' must not be null");
		return copy;
	}

	/**
	 * Ask for the jobs of a family: the first one, and all that its handler and theirs
	 * have enqueued.
	 * @param job the id of the first job, see {@link JobInfo#root()}
	 * @return a copy with that condition
	 */
	public JobQuery root(UUID job) {
		JobQuery copy = new JobQuery(this);
		copy.root = Objects.requireNonNull(job, "'job' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs that have failed, and whose last error contains a text in whatever
	 * case: the type, message or stack trace of the exception, its causes included.
	 * @param text the text
	 * @return a copy with that condition
	 */
	public JobQuery error(String text) {
		JobQuery copy = new JobQuery(this);
		copy.error = Objects.requireNonNull(text, "'text' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs that were enqueued at a time or later.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery enqueuedFrom(Instant time) {
		JobQuery copy = new JobQuery(this);
		copy.enqueuedFrom = Objects.requireNonNull(time, "'time' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs that were enqueued before a time.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery enqueuedBefore(Instant time) {
		JobQuery copy = new JobQuery(this);
		copy.enqueuedBefore = Objects.requireNonNull(time, "'time' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs that finished at a time or later.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery finishedFrom(Instant time) {
		JobQuery copy = new JobQuery(this);
		copy.finishedFrom = Objects.requireNonNull(time, "'time' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs that finished before a time.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery finishedBefore(Instant time) {
		JobQuery copy = new JobQuery(this);
		copy.finishedBefore = Objects.requireNonNull(time, "'time' must not be null");
		return copy;
	}

	/**
	 * Ask for jobs from a place in the order of enqueueing on.
	 * @param position the place, as {@link JobDetails#position()} returns it
	 * @return a copy with that condition
	 */
	public JobQuery fromPosition(long position) {
		JobQuery copy = new JobQuery(this);
		copy.fromPosition = position;
		return copy;
	}

	/**
	 * Ask for the page that follows another one of the same query.
	 * @param position what that one has named as {@link JobPage#next()}
	 * @return a copy that begins there
	 */
	public JobQuery after(String position) {
		JobQuery copy = new JobQuery(this);
		copy.after = Objects.requireNonNull(position, "'position' must not be null");
		return copy;
	}

	/**
	 * Set how many jobs a page holds at most. Default: 50.
	 * @param limit the number, from 1 to 1,000
	 * @return a copy with that limit
	 * @throws IllegalArgumentException if the number is out of range
	 */
	public JobQuery limit(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_LIMIT,
				() -> "'limit' must be a number from 1 to %d, but is %d".formatted(MAX_LIMIT, limit));
		JobQuery copy = new JobQuery(this);
		copy.limit = limit;
		return copy;
	}

	/**
	 * Return what may stand in a log: the conditions, but not what is asked for of errors
	 * and keys, which may be confidential.
	 */
	@Override
	public String toString() {
		return conditions().entrySet()
			.stream()
			.filter((condition) -> condition.getValue() != null)
			.map(Map.Entry::toString)
			.collect(Collectors.joining(", ", "JobQuery[", "]"));
	}

	private Map<String, @Nullable Object> conditions() {
		Map<String, @Nullable Object> all = new LinkedHashMap<>();
		all.put("queue", this.queue);
		all.put("states", this.states.isEmpty() ? null : EnumSet.copyOf(this.states));
		all.put("type", this.type);
		all.put("key", (this.key != null) ? HIDDEN : null);
		all.put("group", this.group);
		all.put("root", this.root);
		all.put("error", (this.error != null) ? HIDDEN : null);
		all.put("enqueuedFrom", this.enqueuedFrom);
		all.put("enqueuedBefore", this.enqueuedBefore);
		all.put("finishedFrom", this.finishedFrom);
		all.put("finishedBefore", this.finishedBefore);
		all.put("fromPosition", this.fromPosition);
		all.put("after", this.after);
		return all;
	}

}
