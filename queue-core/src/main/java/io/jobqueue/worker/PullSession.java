package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.logging.DurationText;
import io.jobqueue.logging.LogText;
import io.jobqueue.retry.AttemptOptions;
import io.jobqueue.store.WorkerStore.Worker;

/**
 * A worker whose jobs are pulled by threads of the application, from the first pull to
 * the next stop.
 */
final class PullSession {

	private static final Logger logger = LoggerFactory.getLogger(PullSession.class);

	private static final Duration LAST_CLAIM = Duration.ofSeconds(2);

	private final PullerParts parts;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final UUID service = UUID.randomUUID();

	private final WorkerRuntime runtime;

	private final JobLogger steps;

	private final PulledExecutions runs = new PulledExecutions();

	private final SourcePollers lines;

	private final SingleJobRunner picking;

	private final CancelRequests cancels;

	private final Heartbeat heartbeat;

	private Set<String> announced = Set.of();

	private final Pauses pauses;

	private final Runnable pauseListener = this::lookForPauses;

	PullSession(PullerParts parts, WorkerSettings settings, Function<String, QueueSettings> queues) {
		this.parts = parts;
		this.settings = settings;
		this.queues = queues;
		this.runtime = new WorkerRuntime(parts.worker(), settings, queues,
				(role) -> WorkerThreads.daemons("pull-" + role, settings));
		this.steps = this.runtime.steps();
		this.lines = new SourcePollers(parts.worker().signals(), this::line);
		this.cancels = new CancelRequests(this.runs::all, settings.cancelGrace());
		this.picking = new SingleJobRunner(parts.worker(), queues, this.runtime, this.runs, this::introduce);
		this.pauses = new Pauses(parts.worker().workers(), parts.worker().wakeUpWorks());
		this.heartbeat = new Heartbeat(worker(Set.of()), parts.worker().workers(), () -> false, this.lines,
				this.cancels, this::hearOfPauses);
	}

	private Worker worker(Set<String> queues) {
		return this.runtime.worker(queues, this.service);
	}

	/**
	 * Start what is done now and then. This asks no database.
	 */
	void start() {
		this.parts.listen().run();
		this.parts.worker().signals().subscribeToCancels(this.cancels);
		this.parts.worker().signals().subscribeToPauses(this.pauseListener);
		this.runtime.start();
		this.runtime.repeat("The heartbeat", this.heartbeat, this.settings.heartbeatInterval());
		this.runtime.repeat("Watching run times", new PulledJobMonitor(this.runs, this.runtime, this.queues,
				WorkerThreads.daemons("judge", this.settings)), HandlerMonitor.INTERVAL);
		this.runtime.repeat("Writing progress",
				new ProgressReports(this.runtime.id(), this.parts.worker().jobs(), this.runs::all),
				ProgressReports.INTERVAL);
		this.runtime.letRetriesOut(this.lines::queues);
		this.runtime.repeat("Giving back unseen claims", this.runtime::giveBackInDoubt, BufferedJob.FRESH);
		this.runtime.repeat("Closing idle sources", this::tidy, SourcePollers.KEEP_IDLE);
		logger.info("Worker {} ({}) lets threads of the application pull jobs", this.settings.name(),
				this.runtime.id());
	}

	private void introduce() {
		this.heartbeat.run();
	}

	boolean runHere(UUID job, String queue, String type, boolean keyed, Runnable begins) throws Throwable {
		return this.picking.run(job, queue, type, keyed, begins);
	}

	private void lookForPauses() {
		this.pauses.outdate();
		this.lines.wake();
	}

	private void hearOfPauses(long pauses) {
		if (this.pauses.differFrom(pauses)) {
			lookForPauses();
		}
	}

	private SourcePoller line(JobSource<?> source) {
		SourceTypes types = new SourceTypes(source, this.parts.types(), this.parts.codecs());
		ServedTypes served = types.served();
		ClaimRequests demands = new ClaimRequests(served, this.queues, this.settings,
				this.runtime.claims()::nextNumber);
		return new SourcePoller(types, new SourceFetcher(this.runtime, this.parts.worker(), this.settings, served,
				demands, this.pauses, this::announce, this.heartbeat));
	}

	/**
	 * Tell the database which queues there are jobs pulled from.
	 */
	private synchronized void announce() {
		Set<String> all = this.lines.queues();
		if (!all.equals(this.announced)) {
			this.heartbeat.changeTo(worker(all));
			if (this.announced.isEmpty()) {
				this.heartbeat.run();
			}
			this.announced = all;
		}
	}

	private void tidy() {
		this.lines.tidy();
		announce();
	}

	List<RunningJob> running() {
		return this.runs.running();
	}

	<T> @Nullable PulledJob<T> tryPull(JobSource<T> source) {
		return pull(source, (line) -> line.take());
	}

	<T> @Nullable PulledJob<T> pull(JobSource<T> source, Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + OutcomePolicy.shortened(atMost).toNanos();
		return pull(source, (line) -> take(line, deadline));
	}

	private <T, X extends Exception> @Nullable PulledJob<T> pull(JobSource<T> source, Taking<X> taking) throws X {
		SourcePoller line = this.lines.enter(source);
		try {
			PulledJob<T> pulled = null;
			for (BufferedJob held = taking.from(line); held != null && pulled == null;) {
				pulled = pulled(line, held);
				held = (pulled == null) ? taking.from(line) : held;
			}
			return pulled;
		}
		finally {
			this.lines.leave(source);
		}
	}

	/**
	 * A claim does not hear an interrupt, and a database may do so in its own way.
	 */
	private @Nullable BufferedJob take(SourcePoller line, long deadline) throws InterruptedException {
		BufferedJob held;
		try {
			held = line.take(deadline);
		}
		catch (RuntimeException ex) {
			if (Thread.interrupted()) {
				throw (InterruptedException) new InterruptedException("The pull was interrupted").initCause(ex);
			}
			throw ex;
		}
		if (held != null && Thread.interrupted()) {
			giveBack(line, held);
			throw new InterruptedException("The pull was interrupted; its job is given back");
		}
		return held;
	}

	/**
	 * Hand out a job.
	 * @return the job, {@code null} if it cannot be read or is too late
	 */
	@SuppressWarnings("unchecked")
	private <T> @Nullable PulledJob<T> pulled(SourcePoller line, BufferedJob held) {
		PulledExecution run = new PulledExecution(held, this.runtime, this.runs);
		if (!this.runs.add(run)) {
			giveBack(line, held);
			return null;
		}
		if (this.cancels.concern(held.job())) {
			run.release();
			return null;
		}
		this.steps.begins(held.job(), held.waited());
		try {
			return new DefaultPulledJob<>(run, (T) line.types().read(run.attempt()), this.runtime, this.parts);
		}
		catch (Throwable ex) {
			this.runtime.mdc().within(held.job(), () -> unreadable(run, ex));
			return null;
		}
	}

	/**
	 * At a stop, outcomes may have been written for the last time.
	 */
	private void giveBack(SourcePoller line, BufferedJob held) {
		if (line.isClosed()) {
			this.runtime.claims().fail(held.job().claim());
		}
		else {
			this.runtime.batcher().submit(Completion.released(held.job()));
		}
	}

	private void unreadable(PulledExecution run, Throwable ex) {
		if (run.decide()) {
			run.endFor(() -> this.runtime.outcomes().failed(run.attempt(), ex, null, AttemptOptions.NONE), ex);
		}
	}

	/**
	 * Let no thread wait any more, let jobs be ended, then give back what is left.
	 */
	void stop() throws InterruptedException {
		Duration patience = this.settings.releaseOnStop() ? Duration.ZERO : this.settings.shutdownTimeout();
		logger.info("Worker {} stops and waits up to {} for {} to be ended", this.settings.name(),
				DurationText.of(patience), LogText.counted(this.runs.all().size(), "pulled job"));
		this.runtime.giveUpAfter(patience.plus(LAST_CLAIM));
		this.lines.close();
		this.runs.close();
		try {
			this.lines.awaitUnused(LAST_CLAIM);
			this.runs.awaitNone(patience);
		}
		finally {
			this.runs.all().forEach((run) -> run.log(this.runtime.mdc(), () -> abandon(run)));
			this.parts.worker().signals().unsubscribeFromCancels(this.cancels);
			this.parts.worker().signals().unsubscribeFromPauses(this.pauseListener);
			this.runtime.end(this::giveBackUnseen);
		}
	}

	/**
	 * A claim may be answered after the last outcome was written.
	 */
	private void giveBackUnseen() {
		try {
			this.lines.awaitUnused(LAST_CLAIM);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.runtime.giveBackInDoubt();
	}

	private void abandon(PulledExecution run) {
		if (run.release()) {
			logger.warn("{} was pulled and is not ended; it is given back", run.job());
		}
	}

	/**
	 * A way to take a job from a line.
	 *
	 * @param <X> what ends it
	 */
	@FunctionalInterface
	private interface Taking<X extends Exception> {

		@Nullable BufferedJob from(SourcePoller line) throws X;

	}

}
