package io.jobqueue.harness;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.validation.Validator;

import io.jobqueue.PayloadCodec;
import io.jobqueue.RetryPolicy;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.Backoff;
import io.jobqueue.internal.policy.ExceptionTypes;
import io.jobqueue.internal.policy.ExpectedFailures;
import io.jobqueue.internal.policy.TransactionLimits;
import io.jobqueue.internal.recurring.TickListener;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.worker.completion.WorkListener;

/**
 * How a node is wired. Times are short, and a failed attempt is repeated at once.
 */
public final class TestNodeSettings {

	private static final PayloadCodec JSON = new JacksonPayloadCodec();

	final DataSource dataSource;

	final WorkerSettingsBuilder worker = new WorkerSettingsBuilder().pollInterval(Duration.ofMillis(200))
		.maxPollInterval(Duration.ofSeconds(10))
		.heartbeatInterval(Duration.ofSeconds(1))
		.timeout(Duration.ofSeconds(30))
		.shutdownTimeout(Duration.ofSeconds(20))
		.cancelGrace(Duration.ofSeconds(30));

	final QueueSettingsBuilder queues = new QueueSettingsBuilder().concurrency(4)
		.maxAttempts(25)
		.maxRunTime(Duration.ofMinutes(30))
		.retryPolicy(Backoff.fixed(Duration.ZERO))
		.keepSucceeded(Duration.ofDays(1));

	final List<Object> beans = new ArrayList<>();

	final List<WorkflowDefinition<?>> workflows = new ArrayList<>();

	final Map<String, Supplier<String>> placeholders = new HashMap<>();

	@Nullable DataSource unpooled;

	@Nullable String schema;

	UnaryOperator<JobStore> jobStore = UnaryOperator.identity();

	@Nullable Validator validator;

	@Nullable Collection<String> served;

	List<String> mdcKeys = List.of();

	List<String> contextKeys = List.of();

	ObservationRegistry observations = ObservationRegistry.NOOP;

	WorkListener workListener = WorkListener.NONE;

	List<TickListener> tickListeners = List.of();

	PayloadCodecs codecs = new PayloadCodecs(JSON);

	Clock clock = Clock.systemUTC();

	@Nullable String user;

	@Nullable Duration staleAfter;

	boolean requireTransaction;

	boolean claimsByFetcher;

	boolean listens;

	long maxPayloadSize = 1_048_576;

	Duration reaperInterval = Duration.ofMillis(500);

	@Nullable Duration keepCancelled = Duration.ofDays(1);

	/**
	 * Begin with the defaults.
	 * @param dataSource the database
	 */
	public TestNodeSettings(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	public TestNodeSettings types(Map<String, AttemptOptions> types) {
		this.queues.types(types);
		return this;
	}

	public TestNodeSettings limits(ClusterLimits limits) {
		this.queues.limits(limits);
		return this;
	}

	public TestNodeSettings listener(WorkListener listener) {
		this.workListener = listener;
		return this;
	}

	public TestNodeSettings tickListeners(TickListener... listeners) {
		this.tickListeners = List.of(listeners);
		return this;
	}

	public TestNodeSettings name(String name) {
		this.worker.name(name);
		return this;
	}

	public TestNodeSettings handler(MailHandler.Behaviour behaviour) {
		return bean(new MailHandler(behaviour));
	}

	public TestNodeSettings bean(Object bean) {
		this.beans.add(bean);
		return this;
	}

	public TestNodeSettings workflow(WorkflowDefinition<?> workflow) {
		this.workflows.add(workflow);
		return this;
	}

	/**
	 * Let a placeholder stand for something that is asked for at each of its places.
	 */
	public TestNodeSettings placeholder(String name, Supplier<String> value) {
		this.placeholders.put(name, value);
		return this;
	}

	/**
	 * Open connections beside the pool, and receive the signals of other nodes.
	 */
	public TestNodeSettings listensOn(@Nullable DataSource unpooled) {
		this.unpooled = unpooled;
		this.listens = true;
		return this;
	}

	public TestNodeSettings unpooled(DataSource unpooled) {
		this.unpooled = unpooled;
		return this;
	}

	public TestNodeSettings schema(String schema) {
		this.schema = schema;
		return this;
	}

	public TestNodeSettings releaseOnStop() {
		this.worker.releaseOnStop();
		return this;
	}

	public TestNodeSettings virtualThreads() {
		this.worker.virtualThreads(true);
		return this;
	}

	public TestNodeSettings reaperInterval(Duration reaperInterval) {
		this.reaperInterval = reaperInterval;
		return this;
	}

	public TestNodeSettings warnAfter(Duration warnAfter) {
		this.queues.warnAfter(warnAfter);
		return this;
	}

	/**
	 * Put something between the node and the store of jobs.
	 */
	public TestNodeSettings jobStore(UnaryOperator<JobStore> jobStore) {
		this.jobStore = jobStore;
		return this;
	}

	public TestNodeSettings validator(Validator validator) {
		this.validator = validator;
		return this;
	}

	public TestNodeSettings serves(String... queues) {
		this.served = List.of(queues);
		return this;
	}

	public TestNodeSettings priorities(int min, int max) {
		this.worker.priorities(min, max);
		return this;
	}

	public TestNodeSettings codec(PayloadCodec codec) {
		return codecs(new PayloadCodecs(codec));
	}

	public TestNodeSettings codecs(PayloadCodecs codecs) {
		this.codecs = codecs;
		return this;
	}

	public TestNodeSettings clock(Clock clock) {
		this.clock = clock;
		return this;
	}

	public TestNodeSettings staleAfter(Duration staleAfter) {
		this.staleAfter = staleAfter;
		return this;
	}

	public TestNodeSettings retryPolicy(RetryPolicy retryPolicy) {
		this.queues.retryPolicy(retryPolicy);
		return this;
	}

	/**
	 * Expect an exception, in any number of attempts up to the given one.
	 */
	public TestNodeSettings expected(Class<? extends Throwable> exception, int maxAttempts, Backoff backoff) {
		this.queues.expected(new ExpectedFailures(new ExceptionTypes(List.of(exception)), maxAttempts, backoff));
		return this;
	}

	public TestNodeSettings probeRetries() {
		this.queues.probeRetries();
		return this;
	}

	public TestNodeSettings keepDead(@Nullable Duration keepDead) {
		this.queues.keepDead(keepDead);
		return this;
	}

	public TestNodeSettings requireTransaction() {
		this.requireTransaction = true;
		return this;
	}

	public TestNodeSettings maxPayloadSize(long maxPayloadSize) {
		this.maxPayloadSize = maxPayloadSize;
		return this;
	}

	public TestNodeSettings application(String application) {
		this.worker.application(application);
		return this;
	}

	public TestNodeSettings mdcKeys(String... mdcKeys) {
		this.mdcKeys = List.of(mdcKeys);
		return this;
	}

	public TestNodeSettings contextKeys(String... contextKeys) {
		this.contextKeys = List.of(contextKeys);
		return this;
	}

	public TestNodeSettings observations(ObservationRegistry observations) {
		this.observations = observations;
		return this;
	}

	/**
	 * Let one handler run jobs in shared transactions, and claim all that are due at
	 * once.
	 */
	public TestNodeSettings transactions(int size, Duration time) {
		this.queues.transactions(new TransactionLimits(size, time));
		return concurrency(1).claimsByFetcher()
			.jobStore((store) -> StoreCalls.prefetching(store, TransactionLimits.MAX_SIZE));
	}

	public TestNodeSettings concurrency(int concurrency) {
		this.queues.concurrency(concurrency);
		return this;
	}

	public TestNodeSettings maxAttempts(int maxAttempts) {
		this.queues.maxAttempts(maxAttempts);
		return this;
	}

	public TestNodeSettings maxRunTime(Duration maxRunTime) {
		this.queues.maxRunTime(maxRunTime);
		return this;
	}

	public TestNodeSettings pollInterval(Duration pollInterval) {
		this.worker.pollInterval(pollInterval);
		return this;
	}

	/**
	 * Poll at the start and when something calls for it only: turns at polling are
	 * counted from 1970, and the next one of this interval is in 2052.
	 */
	public TestNodeSettings neverPolls() {
		Duration never = Duration.ofDays(10_000);
		this.worker.pollInterval(never).maxPollInterval(never);
		return this;
	}

	/**
	 * Claim new jobs by the fetcher only, as if another transaction had locked each.
	 */
	public TestNodeSettings claimsByFetcher() {
		this.claimsByFetcher = true;
		return this;
	}

	JobStore applyTo(JobStore store) {
		JobStore changed = this.jobStore.apply(store);
		return this.claimsByFetcher ? StoreCalls.instead("claimNew", changed,
				() -> new ClaimResult(List.of(), List.of(), 1, false, false, null, null)) : changed;
	}

	/**
	 * Send heartbeats rarely, but at least three within the timeout.
	 */
	public TestNodeSettings timeout(Duration timeout) {
		this.worker.timeout(timeout).heartbeatInterval(timeout.dividedBy(3));
		return this;
	}

	/**
	 * Take the concurrency and the intervals that an application has unless it says
	 * otherwise.
	 */
	public TestNodeSettings defaults() {
		this.queues.concurrency(16);
		this.worker.pollInterval(Duration.ofMillis(500))
			.timeout(Duration.ofSeconds(60))
			.heartbeatInterval(Duration.ofSeconds(10));
		this.reaperInterval = Duration.ofSeconds(10);
		return this;
	}

	public TestNodeSettings keepSucceeded(Duration keepSucceeded) {
		this.queues.keepSucceeded(keepSucceeded);
		return this;
	}

	public TestNodeSettings keys(AdmissionRules keys) {
		this.queues.keys(keys);
		return this;
	}

	public TestNodeSettings keepCancelled(@Nullable Duration keepCancelled) {
		this.keepCancelled = keepCancelled;
		return this;
	}

	public TestNodeSettings cancelGrace(Duration cancelGrace) {
		this.worker.cancelGrace(cancelGrace);
		return this;
	}

	public TestNodeSettings shutdownTimeout(Duration shutdownTimeout) {
		this.worker.shutdownTimeout(shutdownTimeout);
		return this;
	}

	public TestNodeSettings user(String name) {
		this.user = name;
		return this;
	}

}
