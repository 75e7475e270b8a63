package io.jobqueue.operations;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.util.Assert;

import io.jobqueue.BulkOperations;
import io.jobqueue.CancelOutcome;
import io.jobqueue.GroupProgress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.JobPayload;
import io.jobqueue.JobQuery;
import io.jobqueue.JobStats;
import io.jobqueue.Priority;
import io.jobqueue.QueuePause;

/**
 * Carries out what is asked for, outside any transaction of the caller.
 */
public final class DefaultJobOperations implements JobOperations {

	private final Inspecting inspecting;

	private final JobCounter counting;

	private final Cancelling cancelling;

	private final Retrying retrying;

	private final Replaying replaying;

	private final JobChanges editing;

	private final LocalRun running;

	private final Pausing pausing;

	private final DefaultBulkOperations bulk;

	private final AuditLog log;

	private final OutsideTransaction outside;

	/**
	 * Create operations.
	 * @param parts what they work with
	 */
	public DefaultJobOperations(OperationParts parts) {
		this.outside = new OutsideTransaction(parts.transactionManager());
		this.inspecting = new Inspecting(parts.search());
		this.counting = new JobCounter(parts.gauges(), parts.search());
		this.cancelling = new Cancelling(parts);
		this.retrying = new Retrying(parts);
		this.replaying = new Replaying(parts);
		this.editing = new JobChanges(parts);
		this.log = new AuditLog(parts.user());
		this.pausing = new Pausing(parts, this.log);
		this.running = new LocalRun(parts, this.log);
		this.bulk = new DefaultBulkOperations(new BulkSteps(parts.search(), this.outside, this.log), this.retrying,
				this.replaying, this.cancelling, this.editing);
	}

	@Override
	public Optional<JobInfo> find(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> this.inspecting.find(id));
	}

	@Override
	public Optional<JobPayload> payload(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> this.inspecting.payload(id));
	}

	@Override
	public Optional<JobInfo> findByKey(String queue, String key) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Objects.requireNonNull(key, "'key' must not be null");
		return this.outside.call(() -> this.inspecting.findByKey(queue, key));
	}

	@Override
	public JobPage list(JobQuery query) {
		Objects.requireNonNull(query, "'query' must not be null");
		return this.outside.call(() -> this.inspecting.list(query));
	}

	@Override
	public JobStats stats() {
		return this.outside.call(this.counting::ofAll);
	}

	@Override
	public JobStats stats(String queue) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		return this.outside.call(() -> this.counting.of(queue));
	}

	@Override
	public GroupProgress groupProgress(String queue, String group) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Objects.requireNonNull(group, "'group' must not be null");
		return this.outside.call(() -> this.inspecting.groupProgress(queue, group));
	}

	@Override
	public GroupProgress groupProgress(String group) {
		Objects.requireNonNull(group, "'group' must not be null");
		return this.outside.call(() -> this.inspecting.groupProgress(group));
	}

	@Override
	public void retry(UUID id) {
		change(Operation.of("retry"), id, () -> this.retrying.retry(id));
	}

	@Override
	public UUID replay(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		UUID copy = this.outside.call(() -> this.replaying.replay(id));
		this.log.done(Operation.of("replay"), id, 1);
		return copy;
	}

	@Override
	public void runHere(UUID id) throws Exception {
		Objects.requireNonNull(id, "'id' must not be null");
		this.running.run(id);
	}

	@Override
	public CancelOutcome cancel(String queue, String key) {
		return keyed(queue, key).cancel(this::cancel);
	}

	@Override
	public CancelOutcome cancel(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		CancelOutcome outcome = this.outside.call(() -> this.cancelling.cancel(id));
		boolean done = outcome == CancelOutcome.CANCELLED || outcome == CancelOutcome.REQUESTED;
		this.log.done(Operation.of("cancel"), id, done ? 1 : 0);
		return outcome;
	}

	@Override
	public void delete(UUID id) {
		change(Operation.of("delete"), id, () -> this.editing.delete(id));
	}

	@Override
	public void reschedule(UUID id, Instant runAt) {
		Objects.requireNonNull(runAt, "'runAt' must not be null");
		change(Operation.of("reschedule").to(runAt), id, () -> this.editing.reschedule(id, runAt));
	}

	@Override
	public void reschedule(String queue, String key, Instant runAt) {
		Objects.requireNonNull(runAt, "'runAt' must not be null");
		keyed(queue, key).change((id) -> reschedule(id, runAt));
	}

	@Override
	public void reprioritise(String queue, String key, Priority priority) {
		Objects.requireNonNull(priority, "'priority' must not be null");
		keyed(queue, key).change((id) -> reprioritise(id, priority));
	}

	private KeyedChange keyed(String queue, String key) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Objects.requireNonNull(key, "'key' must not be null");
		return new KeyedChange(() -> findByKey(queue, key).map(JobInfo::id).orElse(null), queue);
	}

	@Override
	public void reprioritise(UUID id, Priority priority) {
		Objects.requireNonNull(priority, "'priority' must not be null");
		change(Operation.of("reprioritise").to(priority.value()), id, () -> this.editing.reprioritise(id, priority));
	}

	@Override
	public long clear(String queue) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		return this.bulk.clear(queue);
	}

	@Override
	public void pause(String queue) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		this.outside.run(() -> this.pausing.pause(queue, null));
	}

	@Override
	public void pause(String queue, String type) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Assert.hasText(type, "'type' must not be empty");
		this.outside.run(() -> this.pausing.pause(queue, type));
	}

	@Override
	public void resume(String queue) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		this.outside.run(() -> this.pausing.resume(queue, null));
	}

	@Override
	public void resume(String queue, String type) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Assert.hasText(type, "'type' must not be empty");
		this.outside.run(() -> this.pausing.resume(queue, type));
	}

	@Override
	public List<QueuePause> pauses() {
		return this.outside.call(this.pausing::pauses);
	}

	@Override
	public BulkOperations bulk() {
		return this.bulk;
	}

	/**
	 * @param change returns how many jobs it has changed
	 */
	private void change(Operation operation, UUID id, Supplier<Long> change) {
		Objects.requireNonNull(id, "'id' must not be null");
		this.log.done(operation, id, this.outside.call(change));
	}

}
