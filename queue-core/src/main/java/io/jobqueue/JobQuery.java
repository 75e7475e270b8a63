package io.jobqueue;

import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
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
public final class JobQuery {

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LIMIT = 1_000;

	private static final String HIDDEN = "(hidden)";

	private @Nullable String queue;

	private Set<JobState> states = Set.of();

	private @Nullable String type;

	private @Nullable String key;

	private @Nullable String group;

	private @Nullable UUID root;

	private @Nullable String error;

	private @Nullable Instant enqueuedFrom;

	private @Nullable Instant enqueuedBefore;

	private @Nullable Instant finishedFrom;

	private @Nullable Instant finishedBefore;

	private @Nullable Long fromPosition;

	private @Nullable String after;

	private int limit = DEFAULT_LIMIT;

	private JobQuery() {
	}

	private JobQuery(JobQuery other) {
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
		return with((copy) -> copy.queue = Objects.requireNonNull(queue, "'queue' must not be null"));
	}

	/**
	 * Ask for jobs in any of the given states.
	 * @param states the states, none for all
	 * @return a copy with that condition
	 */
	public JobQuery states(JobState... states) {
		return with((copy) -> copy.states = Set.of(Objects.requireNonNull(states, "'states' must not be null")));
	}

	/**
	 * Ask for jobs of a type.
	 * @param type the name of the type
	 * @return a copy with that condition
	 */
	public JobQuery type(String type) {
		return with((copy) -> copy.type = Objects.requireNonNull(type, "'type' must not be null"));
	}

	/**
	 * Ask for jobs with a {@link JobRequest#key unique key}.
	 * @param key the key
	 * @return a copy with that condition
	 */
	public JobQuery key(String key) {
		return with((copy) -> copy.key = Objects.requireNonNull(key, "'key' must not be null"));
	}

	/**
	 * Ask for jobs of a {@link JobRequest#group group}.
	 * @param group the group's name
	 * @return a copy with that condition
	 */
	public JobQuery group(String group) {
		return with((copy) -> copy.group = Objects.requireNonNull(group, "'group' must not be null"));
	}

	/**
	 * Ask for the jobs of a family: the first one, and all that its handler and theirs
	 * have enqueued.
	 * @param job the id of the first job, see {@link JobInfo#root()}
	 * @return a copy with that condition
	 */
	public JobQuery root(UUID job) {
		return with((copy) -> copy.root = Objects.requireNonNull(job, "'job' must not be null"));
	}

	/**
	 * Ask for jobs that have failed, and whose last error contains a text in whatever
	 * case: the type, message or stack trace of the exception, its causes included.
	 * @param text the text
	 * @return a copy with that condition
	 */
	public JobQuery error(String text) {
		return with((copy) -> copy.error = Objects.requireNonNull(text, "'text' must not be null"));
	}

	/**
	 * Ask for jobs that were enqueued at a time or later.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery enqueuedFrom(Instant time) {
		return with((copy) -> copy.enqueuedFrom = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Ask for jobs that were enqueued before a time.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery enqueuedBefore(Instant time) {
		return with((copy) -> copy.enqueuedBefore = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Ask for jobs that finished at a time or later.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery finishedFrom(Instant time) {
		return with((copy) -> copy.finishedFrom = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Ask for jobs that finished before a time.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery finishedBefore(Instant time) {
		return with((copy) -> copy.finishedBefore = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Ask for jobs from a place in the order of enqueueing on.
	 * @param position the place, as {@link JobDetails#position()} returns it
	 * @return a copy with that condition
	 */
	public JobQuery fromPosition(long position) {
		return with((copy) -> copy.fromPosition = position);
	}

	/**
	 * Ask for the page that follows another one of the same query.
	 * @param position what that one has named as {@link JobPage#next()}
	 * @return a copy that begins there
	 */
	public JobQuery after(String position) {
		return with((copy) -> copy.after = Objects.requireNonNull(position, "'position' must not be null"));
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
		return with((copy) -> copy.limit = limit);
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

	private JobQuery with(Consumer<JobQuery> change) {
		JobQuery copy = new JobQuery(this);
		change.accept(copy);
		return copy;
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
