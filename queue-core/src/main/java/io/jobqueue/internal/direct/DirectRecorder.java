package io.jobqueue.internal.direct;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.worker.completion.Completion;
import io.jobqueue.internal.worker.completion.CompletionBatcher;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.completion.CompletionWriter;

/**
 * Ends jobs that have succeeded, on the threads of their handlers, and passes on the
 * others to be stored.
 */
final class DirectRecorder implements CompletionRecorder {

	private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

	private final OpenJobs open;

	private final CompletionWriter writer;

	private final CompletionBatcher batcher;

	private final RefusedJobs refused;

	DirectRecorder(OpenJobs open, CompletionWriter writer, CompletionBatcher batcher, RefusedJobs refused) {
		this.open = open;
		this.writer = writer;
		this.batcher = batcher;
		this.refused = refused;
	}

	@Override
	public void submit(Completion completion) {
		if (completion.outcome() instanceof Completed) {
			this.writer.pass(completion);
			this.open.end(completion.job().id(), Ending.SUCCEEDED);
		}
		else if (completion.outcome() instanceof Released released && !released.begun()) {
			this.open.end(completion.job().id(), Ending.WITHDRAWN);
		}
		else {
			store(completion);
		}
	}

	/**
	 * Store a job. One that the database refuses is tried again: there is no row of it
	 * that a reaper finds.
	 */
	void store(Completion completion) {
		CompletableFuture<Boolean> recorded = new CompletableFuture<>();
		CompletableFuture<Boolean> unused = recorded.whenComplete((stored, refusal) -> {
			if (refusal == null) {
				this.refused.ended(completion.job().id());
			}
			else {
				LATER.execute(() -> store(completion));
			}
		});
		this.batcher.submit(completion.with(recorded));
	}

	@Override
	public Boolean complete(Completion completion) {
		throw new UnsupportedOperationException("No thread waits for the end of a direct job");
	}

}
