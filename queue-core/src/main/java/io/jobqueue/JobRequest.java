package io.jobqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;

/**
 * A payload and the options of its job. Immutable: each option returns a copy.
 *
 * <pre class="code">
 * JobRequest.of(new ConfirmationEmail(userId))
 *     .priority(Priority.INTERACTIVE)
 *     .delay(Duration.ofMinutes(5))</pre>
 *
 * <p>
 * An option that is set is stored with the job. One that is not set follows the settings
 * of the node that claims the job, but for the priority, which is resolved on enqueue.
 * <p>
 * A {@code null} for what must be there is refused with a {@link JobRejectedException}.
 * Two requests are equal if their payloads and all their options are.
 */
@CheckReturnValue
public final class JobRequest extends RequestedJob {

	private JobRequest(Object payload) {
		super(payload);
	}

	private JobRequest(JobRequest other) {
		super(other);
	}

	/**
	 * Request a job for the payload, in the queue of its type.
	 * @param payload the payload
	 * @return the request
	 */
	public static JobRequest of(Object payload) {
		return new JobRequest(payload);
	}

	/**
	 * Request a job for the payload in the given queue.
	 * @param queue the queue's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 * @param payload the payload
	 * @return the request
	 */
	public static JobRequest of(String queue, Object payload) {
		JobRequest request = new JobRequest(payload);
		request.queue = required("queue", queue);
		return request;
	}

	/**
	 * Set the priority. Default: {@code priority} of the queue's settings.
	 * @param priority the priority
	 * @return a copy with that priority
	 */
	public JobRequest priority(Priority priority) {
		JobRequest copy = new JobRequest(this);
		copy.priority = priority;
		return copy;
	}

	/**
	 * Let the job wait before its first attempt, counted from the database's now. A
	 * negative delay counts as none; a run-at beats a delay.
	 * @param delay the delay
	 * @return a copy with that delay
	 */
	public JobRequest delay(Duration delay) {
		JobRequest copy = new JobRequest(this);
		copy.delay = delay;
		return copy;
	}

	/**
	 * Let the job wait until the given time, by the database's clock. A time in the past
	 * becomes now, or is refused where {@code jobqueue.producer.stale-after} says so.
	 * @param runAt the time
	 * @return a copy with that run-at
	 */
	public JobRequest runAt(Instant runAt) {
		JobRequest copy = new JobRequest(this);
		copy.runAt = runAt;
		return copy;
	}

	/**
	 * Let the job end as {@link JobState#CANCELLED} unless a worker claims it in time. It
	 * expires so long after its run-at, or after now if that is later, by the database's
	 * clock. No worker claims it from then on, also if it is {@link JobState#BLOCKED}
	 * until then; the reaper ends it within {@code jobqueue.reaper.interval}, with the
	 * reason as its error, and what waits for it continues as after any cancellation.
	 * Default: it does not expire.
	 * <p>
	 * A job that a worker has claimed has begun, although its handler may have to wait on
	 * that node: it does not expire any more, whatever its outcome. It can still expire
	 * if the worker gives it back before its handler has begun, because no handler is
	 * free or the worker stops, if a {@linkplain PulledJob#close() pulled} one is given
	 * back, and if the database server crashes right after the claim. A request that
	 * changes a waiting job by its {@link #key} replaces its expiry, also by none. An
	 * operator's retry or replay removes it, and an operator's new run-at moves it by as
	 * much.
	 * @param time how long, at least a millisecond
	 * @return a copy that expires
	 */
	public JobRequest expiresAfter(Duration time) {
		JobRequest copy = new JobRequest(this);
		copy.expiresAfter = time;
		return copy;
	}

	/**
	 * Give the job a key that no other live job of its queue has. Where one has it,
	 * {@link #onDuplicate} decides, and the receipt says so. Of two transactions that use
	 * the same key at a time, the second waits for the first one to end.
	 * @param key the key
	 * @return a copy with that key
	 */
	public JobRequest key(String key) {
		JobRequest copy = new JobRequest(this);
		copy.key = required("key", key);
		return copy;
	}

	/**
	 * Say what becomes of the request where its key is taken. Default:
	 * {@link OnDuplicate#KEEP}.
	 * @param onDuplicate what to do
	 * @return a copy that does so
	 */
	public JobRequest onDuplicate(OnDuplicate onDuplicate) {
		JobRequest copy = new JobRequest(this);
		copy.onDuplicate = required("onDuplicate", onDuplicate);
		return copy;
	}

	/**
	 * Let the key stay taken for a while after the job has succeeded, whatever the
	 * archive keeps. Default: it is free at once.
	 * @param window how long, from the success by the database's clock
	 * @return a copy with that window
	 */
	public JobRequest dedupeFor(Duration window) {
		JobRequest copy = new JobRequest(this);
		copy.dedupeFor = window;
		return copy;
	}

	/**
	 * Run the jobs of the queue that have the same ordering key one at a time, over all
	 * nodes, in the order in which they were enqueued. One that fails and waits for its
	 * next attempt holds back its own key only; {@code dead-head} of the queue's settings
	 * says what a dead one does. The order is that of the database's sequence among the
	 * jobs that are committed when the next one of the key is chosen: a transaction that
	 * commits late does not move its job ahead of one that has begun.
	 * @param key the ordering key
	 * @return a copy with that ordering key
	 */
	public JobRequest orderedBy(String key) {
		JobRequest copy = new JobRequest(this);
		copy.orderingKey = required("orderedBy", key);
		return copy;
	}

	/**
	 * Let the jobs of the queue that have the same limit key share its slots:
	 * {@code concurrency-per-key} of the queue's settings, over all nodes. Where that is
	 * not set, the key limits nothing.
	 * @param key the limit key
	 * @return a copy with that limit key
	 */
	public JobRequest limitedBy(String key) {
		JobRequest copy = new JobRequest(this);
		copy.limitKey = required("limitedBy", key);
		return copy;
	}

	/**
	 * Count the job in a group, which may span queues: see
	 * {@link JobOperations#groupProgress(String)}.
	 * @param group the group's name
	 * @return a copy in that group
	 */
	public JobRequest group(String group) {
		JobRequest copy = new JobRequest(this);
		copy.group = required("group", group);
		return copy;
	}

	/**
	 * Let the job wait for other jobs, in addition to those of an earlier call: it is
	 * {@link JobState#BLOCKED} until all of them have succeeded, and ready at once then.
	 * They may be in any queue, live or archived, and enqueued in the same transaction.
	 * An id that is neither live nor archived is refused. The job's own delay or run-at
	 * still applies.
	 * <p>
	 * The predecessors are fixed when the job is added. A request that changes a waiting
	 * job by its {@link #key} leaves that job's predecessors as they are; one that adds a
	 * follow-up adds it with the predecessors of the request.
	 * @param jobs the ids of the jobs, at most 1,000 in all
	 * @return a copy with these predecessors
	 */
	public JobRequest after(UUID... jobs) {
		return after(Arrays.asList(required("after", jobs)));
	}

	/**
	 * Let the job wait for other jobs, like {@link #after(UUID...)}.
	 * @param jobs the ids of the jobs
	 * @return a copy with these predecessors
	 */
	public JobRequest after(Collection<UUID> jobs) {
		Set<UUID> all = new LinkedHashSet<>(this.predecessors);
		required("after", jobs).forEach((job) -> all.add(required("after", job)));
		JobRequest copy = new JobRequest(this);
		copy.predecessors = Collections.unmodifiableSet(all);
		return copy;
	}

	/**
	 * Set what the job does if one of its {@link #after predecessors} is dead, cancelled
	 * or deleted. Default: {@link OnPredecessorFailure#WAIT}.
	 * @param policy the policy
	 * @return a copy with that policy
	 */
	public JobRequest ifPredecessorFails(OnPredecessorFailure policy) {
		JobRequest copy = new JobRequest(this);
		copy.onPredecessorFailure = required("ifPredecessorFails", policy);
		return copy;
	}

	/**
	 * Set after how many attempts the job is given up; n retries are n + 1 attempts.
	 * Default: {@code max-attempts} of the queue's settings.
	 * @param maxAttempts the number of attempts, 0 for no limit
	 * @return a copy with that limit
	 */
	public JobRequest maxAttempts(int maxAttempts) {
		JobRequest copy = new JobRequest(this);
		copy.maxAttempts = maxAttempts;
		return copy;
	}

	/**
	 * Set how long an attempt may run before another worker may claim the job. Default:
	 * {@code max-run-time} of the queue's settings.
	 * @param maxRunTime the time, at least a millisecond
	 * @return a copy with that limit
	 */
	public JobRequest maxRunTime(Duration maxRunTime) {
		JobRequest copy = new JobRequest(this);
		copy.maxRunTime = maxRunTime;
		return copy;
	}

	/**
	 * Name the type, for a payload without a class of its own ({@code Map},
	 * {@code JsonNode}, {@code String}). The type of any other payload is that of its
	 * class.
	 * @param type the name of the type
	 * @return a copy with that type
	 */
	public JobRequest type(String type) {
		JobRequest copy = new JobRequest(this);
		copy.type = type;
		return copy;
	}

	/**
	 * Add a header, which the handler finds in {@link JobContext#headers()}.
	 * @param name the name of the header; those that begin with {@code jobqueue.} are the
	 * queue's own
	 * @param value its value
	 * @return a copy with that header
	 */
	public JobRequest header(String name, String value) {
		Map<String, String> extended = new LinkedHashMap<>(this.headers);
		extended.put(required("header", name), required("header " + name, value));
		JobRequest copy = new JobRequest(this);
		copy.headers = Map.copyOf(extended);
		return copy;
	}

}
