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
 * Selects jobs to list or to change: those that meet all conditions. Immutable: each
 * condition returns a copy.
 *
 * <pre class="code">
 * JobQuery.all().queue("emails").states(JobState.DEAD).error("timeout")</pre>
 *
 * <p>
 * Some conditions lead to the jobs by an index: a queue to unfinished jobs; the states
 * {@link JobState#RUNNING}, {@link JobState#RETRYING}, {@link JobState#DEAD} and
 * {@link JobState#CANCELLED}; a queue together with a key, a group or a fingerprint; a
 * root. All others are checked job by job, in bounded time, see
 * {@link JobPage#partial()}; for a batch, among finished jobs only those that were
 * enqueued since a day before its start.
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

	private @Nullable UUID batch;

	private @Nullable String error;

	private @Nullable String fingerprint;

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
		this.batch = other.batch;
		this.error = other.error;
		this.fingerprint = other.fingerprint;
		this.enqueuedFrom = other.enqueuedFrom;
		this.enqueuedBefore = other.enqueuedBefore;
		this.finishedFrom = other.finishedFrom;
		this.finishedBefore = other.finishedBefore;
		this.fromPosition = other.fromPosition;
		this.after = other.after;
		this.limit = other.limit;
	}

	/**
	 * Select all jobs, live and archived.
	 * @return the query
	 */
	public static JobQuery all() {
		return new JobQuery();
	}

	/**
	 * Select jobs of a queue.
	 * @param queue the queue's name
	 * @return a copy with that condition
	 */
	public JobQuery queue(String queue) {
		return with((copy) -> copy.queue = Objects.requireNonNull(queue, "'queue' must not be null"));
	}

	/**
	 * Select jobs in any of the given states.
	 * @param states the states, none for all
	 * @return a copy with that condition
	 * @throws IllegalArgumentException if a state is named twice
	 */
	public JobQuery states(JobState... states) {
		return with((copy) -> copy.states = Set.of(Objects.requireNonNull(states, "'states' must not be null")));
	}

	/**
	 * Select jobs of a type.
	 * @param type the name of the type
	 * @return a copy with that condition
	 */
	public JobQuery type(String type) {
		return with((copy) -> copy.type = Objects.requireNonNull(type, "'type' must not be null"));
	}

	/**
	 * Select jobs with a {@link JobRequest#key unique key}.
	 * @param key the key
	 * @return a copy with that condition
	 */
	public JobQuery key(String key) {
		return with((copy) -> copy.key = Objects.requireNonNull(key, "'key' must not be null"));
	}

	/**
	 * Select jobs of a {@link JobRequest#group group}.
	 * @param group the group's name
	 * @return a copy with that condition
	 */
	public JobQuery group(String group) {
		return with((copy) -> copy.group = Objects.requireNonNull(group, "'group' must not be null"));
	}

	/**
	 * Select the jobs of a family: the first job, and all jobs that its handler and their
	 * handlers have enqueued.
	 * @param job the id of the first job, see {@link JobInfo#root()}
	 * @return a copy with that condition
	 */
	public JobQuery root(UUID job) {
		return with((copy) -> copy.root = Objects.requireNonNull(job, "'job' must not be null"));
	}

	/**
	 * Select the members of a batch. Its callbacks are none.
	 * @param batch the id of the batch, see {@link Batch#id()}
	 * @return a copy with that condition
	 */
	public JobQuery batch(UUID batch) {
		return with((copy) -> copy.batch = Objects.requireNonNull(batch, "'batch' must not be null"));
	}

	/**
	 * Select jobs whose last error contains a text, ignoring case. The error is the type,
	 * message and stack trace of the exception, including its causes.
	 * @param text the text
	 * @return a copy with that condition
	 */
	public JobQuery error(String text) {
		return with((copy) -> copy.error = Objects.requireNonNull(text, "'text' must not be null"));
	}

	/**
	 * Select jobs whose last attempt has failed in the same way: unfinished ones, unless
	 * their attempts were reset since, and dead ones. Attempts that no exception has
	 * ended have no fingerprint.
	 * @param fingerprint the class of the root cause, and the method of the application
	 * in which it was thrown, such as
	 * {@code java.net.ConnectException at com.acme.Smtp.send}
	 * @return a copy with that condition
	 */
	public JobQuery fingerprint(String fingerprint) {
		return with((copy) -> copy.fingerprint = Objects.requireNonNull(fingerprint, "'fingerprint' must not be null"));
	}

	/**
	 * Select jobs that were enqueued at a time or later.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery enqueuedFrom(Instant time) {
		return with((copy) -> copy.enqueuedFrom = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Select jobs that were enqueued before a time.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery enqueuedBefore(Instant time) {
		return with((copy) -> copy.enqueuedBefore = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Select jobs that finished at a time or later.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery finishedFrom(Instant time) {
		return with((copy) -> copy.finishedFrom = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Select jobs that finished before a time.
	 * @param time the time
	 * @return a copy with that condition
	 */
	public JobQuery finishedBefore(Instant time) {
		return with((copy) -> copy.finishedBefore = Objects.requireNonNull(time, "'time' must not be null"));
	}

	/**
	 * Select jobs from a position in the order of enqueueing on.
	 * @param position the position, see {@link JobDetails#position()}
	 * @return a copy with that condition
	 */
	public JobQuery fromPosition(long position) {
		return with((copy) -> copy.fromPosition = position);
	}

	/**
	 * Select the page that follows another one of the same query.
	 * @param position the value of {@link JobPage#next()} of the other page
	 * @return a copy that begins there
	 */
	public JobQuery after(String position) {
		return with((copy) -> copy.after = Objects.requireNonNull(position, "'position' must not be null"));
	}

	/**
	 * Set the maximum number of jobs of a page. Default: 50.
	 * @param limit the number, from 1 to 1,000
	 * @return a copy with that limit
	 * @throws IllegalArgumentException if the number is out of range
	 */
	public JobQuery limit(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_LIMIT,
				() -> "'limit' must be a number from 1 to %s, but is %s".formatted(MAX_LIMIT, limit));
		return with((copy) -> copy.limit = limit);
	}

	/**
	 * Return the queue.
	 * @return the queue's name, empty for any
	 */
	public Optional<String> queue() {
		return Optional.ofNullable(this.queue);
	}

	/**
	 * Return the states.
	 * @return the states, unmodifiable, empty for any
	 */
	public Set<JobState> states() {
		return this.states;
	}

	/**
	 * Return the type.
	 * @return the name of the type, empty for any
	 */
	public Optional<String> type() {
		return Optional.ofNullable(this.type);
	}

	/**
	 * Return the unique key.
	 * @return the key, empty for any
	 */
	public Optional<String> key() {
		return Optional.ofNullable(this.key);
	}

	/**
	 * Return the group.
	 * @return the group's name, empty for any
	 */
	public Optional<String> group() {
		return Optional.ofNullable(this.group);
	}

	/**
	 * Return the first job of the family.
	 * @return its id, empty for any
	 */
	public Optional<UUID> root() {
		return Optional.ofNullable(this.root);
	}

	/**
	 * Return the batch.
	 * @return its id, empty for any
	 */
	public Optional<UUID> batch() {
		return Optional.ofNullable(this.batch);
	}

	/**
	 * Return the text that the last error contains.
	 * @return the text, empty for any
	 */
	public Optional<String> error() {
		return Optional.ofNullable(this.error);
	}

	/**
	 * Return what the failures of the last attempts have in common.
	 * @return the fingerprint, empty for any
	 */
	public Optional<String> fingerprint() {
		return Optional.ofNullable(this.fingerprint);
	}

	/**
	 * Return the time from which on jobs were enqueued.
	 * @return the time, empty for any
	 */
	public Optional<Instant> enqueuedFrom() {
		return Optional.ofNullable(this.enqueuedFrom);
	}

	/**
	 * Return the time before which jobs were enqueued.
	 * @return the time, empty for any
	 */
	public Optional<Instant> enqueuedBefore() {
		return Optional.ofNullable(this.enqueuedBefore);
	}

	/**
	 * Return the time from which on jobs finished.
	 * @return the time, empty for any
	 */
	public Optional<Instant> finishedFrom() {
		return Optional.ofNullable(this.finishedFrom);
	}

	/**
	 * Return the time before which jobs finished.
	 * @return the time, empty for any
	 */
	public Optional<Instant> finishedBefore() {
		return Optional.ofNullable(this.finishedBefore);
	}

	/**
	 * Return the first position in the order of enqueueing.
	 * @return the position, empty for any
	 */
	public OptionalLong fromPosition() {
		return (this.fromPosition != null) ? OptionalLong.of(this.fromPosition) : OptionalLong.empty();
	}

	/**
	 * Return the position after which the page begins.
	 * @return the position, empty for the first page
	 */
	public Optional<String> after() {
		return Optional.ofNullable(this.after);
	}

	/**
	 * Return the maximum number of jobs of a page.
	 * @return the number
	 */
	public int limit() {
		return this.limit;
	}

	/**
	 * Return the conditions as a text for logs, without the values of keys and errors,
	 * which may be confidential.
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
		all.put("batch", this.batch);
		all.put("error", (this.error != null) ? HIDDEN : null);
		all.put("fingerprint", this.fingerprint);
		all.put("enqueuedFrom", this.enqueuedFrom);
		all.put("enqueuedBefore", this.enqueuedBefore);
		all.put("finishedFrom", this.finishedFrom);
		all.put("finishedBefore", this.finishedBefore);
		all.put("fromPosition", this.fromPosition);
		all.put("after", this.after);
		return all;
	}

}
