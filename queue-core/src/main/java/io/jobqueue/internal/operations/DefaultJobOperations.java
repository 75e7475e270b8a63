package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

import org.springframework.util.Assert;

import io.jobqueue.BatchDetails;
import io.jobqueue.BulkOperations;
import io.jobqueue.CancelOutcome;
import io.jobqueue.Explanation;
import io.jobqueue.GroupProgress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.JobPayload;
import io.jobqueue.JobQuery;
import io.jobqueue.JobStats;
import io.jobqueue.Priority;
import io.jobqueue.QueuePause;
import io.jobqueue.TopicSubscription;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.operations.AuditLog.Operation;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.Notice.PausesChanged;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.PauseStore;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.SearchResult;
import io.jobqueue.internal.store.StorableText;

/**
 * The operations on jobs, each outside any transaction of the caller.
 */
public final class DefaultJobOperations implements JobOperations {

	/**
	 * A list is requested interactively: a page that takes longer is partial. With its
	 * last step, and what else is on a page that shows it, it takes a second.
	 */
	private static final Duration PAGE_TIMEOUT = Duration.ofMillis(800);

	private static final int MAX_PAYLOAD = 10_000;

	private static final int MAX_BATCHES = 1_000;

	private static final int MAX_SUBSCRIPTIONS = 10_000;

	private final SearchStore search;

	private final BatchStore batches;

	private final PauseStore pauses;

	private final JobSignals signals;

	private final JobCounter counter;

	private final JobExplainer explainer;

	private final JobChanges changes;

	private final LocalRun localRun;

	private final DefaultBulkOperations bulk;

	private final AuditLog log;

	private final OutsideTransaction outside;

	private final OperationServices services;

	/**
	 * Create operations.
	 * @param services the stores and services that they use
	 */
	public DefaultJobOperations(OperationServices services) {
		this(services, new AuditLog(services.user()));
	}

	private DefaultJobOperations(OperationServices services, AuditLog log) {
		this.services = services;
		this.log = log;
		this.search = services.search();
		this.batches = services.batches();
		this.pauses = services.pauses();
		this.signals = services.signals();
		this.counter = new JobCounter(services.monitoring(), services.search());
		this.explainer = new JobExplainer(services.search(), services.obstacles(),
				new DueJobs(services.obstacles(), services.search(), services.pauses(), services.local()));
		this.changes = new JobChanges(services);
		this.localRun = new LocalRun(services, this.log);
		this.outside = new OutsideTransaction(services.transactionManager());
		this.bulk = new DefaultBulkOperations(services, log);
	}

	@Override
	public JobOperations because(String reason) {
		return new DefaultJobOperations(this.services, this.log.because(reason));
	}

	@Override
	public Optional<JobInfo> find(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> Optional.ofNullable(this.search.find(id)).map(JobInfos::of));
	}

	@Override
	public Explanation explain(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> this.explainer.explain(id));
	}

	@Override
	public Optional<BatchDetails> batch(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> Optional.ofNullable(this.batches.find(id)));
	}

	@Override
	public List<BatchDetails> batches() {
		return this.outside.call(() -> this.batches.unfinished(MAX_BATCHES));
	}

	@Override
	public Optional<JobPayload> payload(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> Optional.ofNullable(this.search.payload(id, MAX_PAYLOAD)));
	}

	@Override
	public Optional<JobInfo> findByKey(String queue, String key) {
		StorableText.require("queue", queue);
		StorableText.require("key", key);
		return this.outside.call(() -> Optional.ofNullable(this.search.findByKey(queue, key)).map(JobInfos::of));
	}

	@Override
	public JobPage list(JobQuery query) {
		Objects.requireNonNull(query, "'query' must not be null");
		return this.outside.call(() -> page(this.search.search(query, PAGE_TIMEOUT)));
	}

	private static JobPage page(SearchResult found) {
		return new JobPage(found.jobs().stream().map(JobInfos::of).toList(), found.next(), found.partial());
	}

	@Override
	public JobStats stats() {
		return this.outside.call(this.counter::ofAll);
	}

	@Override
	public JobStats stats(String queue) {
		StorableText.require("queue", queue);
		return this.outside.call(() -> this.counter.of(queue));
	}

	@Override
	public GroupProgress groupProgress(String queue, String group) {
		StorableText.require("queue", queue);
		StorableText.require("group", group);
		return this.outside.call(() -> new GroupProgress(this.search.countGroup(queue, group)));
	}

	@Override
	public GroupProgress groupProgress(String group) {
		StorableText.require("group", group);
		return this.outside.call(() -> new GroupProgress(this.search.countGroup(group)));
	}

	@Override
	public void retry(UUID id) {
		change(Operation.of("retry"), id, (changes) -> changes.retry(id));
	}

	@Override
	public void release(UUID id) {
		change(Operation.of("release"), id, (changes) -> changes.release(id));
	}

	@Override
	public UUID replay(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		LoggedOperation replay = this.log.operation(Operation.of("replay"), id);
		UUID copy = this.outside.call(() -> this.changes.logging(replay).replay(id));
		this.log.done(replay, 1);
		return copy;
	}

	@Override
	public void runHere(UUID id) throws Exception {
		Objects.requireNonNull(id, "'id' must not be null");
		this.localRun.run(id);
	}

	@Override
	public CancelOutcome cancel(String queue, String key) {
		return keyed(queue, key).cancel(this::cancel);
	}

	@Override
	public CancelOutcome cancel(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		LoggedOperation cancel = this.log.operation(Operation.of("cancel"), id);
		CancelOutcome outcome = this.outside.call(() -> this.changes.logging(cancel).cancel(id));
		boolean done = outcome == CancelOutcome.CANCELLED || outcome == CancelOutcome.REQUESTED;
		this.log.done(cancel, done ? 1 : 0);
		return outcome;
	}

	@Override
	public void delete(UUID id) {
		change(Operation.of("delete"), id, (changes) -> changes.delete(id));
	}

	@Override
	public void reschedule(UUID id, Instant runAt) {
		Objects.requireNonNull(runAt, "'runAt' must not be null");
		change(Operation.of("reschedule").to(runAt), id, (changes) -> changes.reschedule(id, runAt));
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
		StorableText.require("queue", queue);
		StorableText.require("key", key);
		return new KeyedChange(() -> findByKey(queue, key).map(JobInfo::id).orElse(null), queue);
	}

	@Override
	public void reprioritise(UUID id, Priority priority) {
		Objects.requireNonNull(priority, "'priority' must not be null");
		change(Operation.of("reprioritise").to(priority.value()), id, (changes) -> changes.reprioritise(id, priority));
	}

	@Override
	public long clear(String queue) {
		StorableText.require("queue", queue);
		return this.bulk.clear(queue);
	}

	@Override
	public void pause(String queue) {
		pause(target(queue));
	}

	@Override
	public void pause(String queue, String type) {
		pause(target(queue, type));
	}

	private void pause(PauseTarget target) {
		Assert.isTrue(QueueNames.isValid(target.queue()),
				() -> "'%s' is not a queue name: it must match %s".formatted(target.queue(), QueueNames.RULE));
		change("pause", target, (operation) -> this.pauses.pause(target, operation));
	}

	@Override
	public void resume(String queue) {
		resume(target(queue));
	}

	@Override
	public void resume(String queue, String type) {
		resume(target(queue, type));
	}

	private void resume(PauseTarget target) {
		change("resume", target, (operation) -> this.pauses.resume(target, operation));
	}

	private static PauseTarget target(String queue) {
		StorableText.require("queue", queue);
		return new PauseTarget(queue, null);
	}

	private static PauseTarget target(String queue, String type) {
		StorableText.require("queue", queue);
		Assert.hasText(type, "'type' must not be empty");
		StorableText.require("type", type);
		return new PauseTarget(queue, type);
	}

	/**
	 * @param change returns whether it changed anything
	 */
	private void change(String name, PauseTarget target, Predicate<LoggedOperation> change) {
		LoggedOperation operation = this.log.operation(Operation.of(name),
				(target.type() != null) ? target.queue() + "/" + target.type() : target.queue());
		this.outside.run(() -> {
			if (change.test(operation)) {
				this.signals.publish(new PausesChanged());
				this.log.done(operation);
			}
		});
	}

	@Override
	public List<QueuePause> pauses() {
		return this.outside.call(this.pauses::pauses);
	}

	@Override
	public List<TopicSubscription> subscriptions() {
		return this.outside.call(() -> this.services.subscriptions().subscriptions(MAX_SUBSCRIPTIONS));
	}

	@Override
	public boolean unsubscribe(String topic, String subscriber) {
		StorableText.require("topic", topic);
		StorableText.require("subscriber", subscriber);
		LoggedOperation operation = this.log.operation(Operation.of("unsubscribe"),
				"subscription %s/%s".formatted(topic, subscriber));
		boolean removed = this.outside.call(() -> this.services.subscriptions().remove(topic, subscriber, operation));
		if (removed) {
			this.log.done(operation);
		}
		return removed;
	}

	@Override
	public BulkOperations bulk() {
		return this.bulk;
	}

	/**
	 * @param change returns the number of jobs that it changed
	 */
	private void change(Operation operation, UUID id, Function<JobChanges, Long> change) {
		Objects.requireNonNull(id, "'id' must not be null");
		LoggedOperation logged = this.log.operation(operation, id);
		this.log.done(logged, this.outside.call(() -> change.apply(this.changes.logging(logged))));
	}

}
