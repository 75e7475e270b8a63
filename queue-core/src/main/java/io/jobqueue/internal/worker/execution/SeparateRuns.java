package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.LogText;

/**
 * Runs jobs one by one whose call has failed, in the same attempt. If the first three
 * fail as well, the cause is taken to be common to all, such as a server that is down:
 * the others run later, together, and this attempt does not count.
 */
final class SeparateRuns {

	private static final Logger logger = LoggerFactory.getLogger(SeparateRuns.class);

	private static final int PROBES = 3;

	private static final Duration RESERVE = Duration.ofSeconds(1);

	private final Turn turn;

	private final HandlerWork work;

	private final Deque<HandlerExecution> rest;

	private int begun;

	private int failed;

	SeparateRuns(Turn turn, HandlerWork work, Collection<HandlerExecution> jobs) {
		this.turn = turn;
		this.work = work;
		this.rest = new ArrayDeque<>(jobs);
	}

	void run() {
		Throwable thrown = null;
		while (!this.rest.isEmpty()) {
			HandlerExecution next = this.rest.poll();
			if (this.begun == PROBES && this.failed == PROBES && thrown != null) {
				this.rest.addFirst(next);
				postpone(thrown);
				return;
			}
			if (next.decide()) {
				if (!begin(next.buffered().rolledBack())) {
					return;
				}
				thrown = run(this.turn.execution());
				this.begun++;
				this.failed += (thrown != null) ? 1 : 0;
			}
		}
	}

	/**
	 * Begin a job. If this thread must begin none, because it was replaced or the worker
	 * stops, the jobs wait for another thread, or are released.
	 */
	private boolean begin(BufferedJob next) {
		boolean begins = this.turn.begin(List.of(next), List.copyOf(this.rest));
		if (!begins) {
			this.turn.repeat(List.of(next));
			this.turn.repeat(this.rest.stream()
				.filter(JobExecution::decide)
				.map((each) -> each.buffered().rolledBack())
				.toList());
		}
		return begins;
	}

	/**
	 * Run a job. The others keep their claims meanwhile.
	 * @return what its handler has thrown, {@code null} if it has not failed
	 */
	private @Nullable Throwable run(HandlerExecution execution) {
		AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
		Duration time = execution.job().maxRunTime();
		if (this.rest.stream().anyMatch((each) -> each.endsWithin(time.plus(RESERVE)))) {
			this.work.extend(this.rest, time.multipliedBy(2));
		}
		this.work.within(execution, () -> {
			JobRunner.Result result = this.work.attempt(execution, this.work.runner()::run);
			thrown.set(this.work.runner().failure(execution.job(), result));
			execution.finish(result);
		});
		return thrown.get();
	}

	private void postpone(Throwable thrown) {
		logger.warn("{} jobs of a call failed one by one as well; the other {} of queue {} run later, uncounted",
				PROBES, LogText.counted(this.rest.size(), "job"), this.turn.execution().queue());
		for (HandlerExecution each : this.rest) {
			this.work.within(each,
					() -> each.finish(JobRunner.Result.returned(() -> this.work.runner().postponed(each, thrown))));
		}
	}

}
