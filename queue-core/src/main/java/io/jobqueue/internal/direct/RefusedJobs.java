package io.jobqueue.internal.direct;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.internal.logging.JobLogLine;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.worker.completion.Completion;
import io.jobqueue.internal.worker.completion.UnwrittenOutcomes;

/**
 * The jobs that the database refuses to store, which are tried again. Logs the first one
 * of each source, and when none of them is left.
 */
final class RefusedJobs implements UnwrittenOutcomes {

	private static final Logger logger = LoggerFactory.getLogger(RefusedJobs.class);

	private final OpenJobs open;

	private final Map<UUID, String> sources = new HashMap<>();

	private final Map<String, Integer> refusals = new HashMap<>();

	RefusedJobs(OpenJobs open) {
		this.open = open;
	}

	@Override
	public synchronized boolean refused(Completion completion, Throwable refusal) {
		DirectJob job = this.open.find(completion.job().id());
		if (job != null) {
			this.sources.put(job.job().id(), job.source());
			if (this.refusals.merge(job.source(), 1, Integer::sum) == 1) {
				log(completion, job.source(), refusal);
			}
		}
		logger.debug("The database refused to store {}", completion.job(), refusal);
		return false;
	}

	/**
	 * The exception of the handler is not stored yet.
	 */
	private static void log(Completion completion, String source, Throwable refusal) {
		JobLogLine.log(() -> JobLogStep.LOST.line(logger, Level.ERROR),
				("The database refuses to store %s of source '%s' (%s). It is tried again every second, and is not"
						+ " acknowledged until it is stored: change what refuses it, such as a constraint or a trigger")
					.formatted(completion.job(), source, FailureText.of(refusal)),
				completion.cause());
	}

	/**
	 * Note that a job is stored, or that another node has its source.
	 */
	synchronized void ended(UUID id) {
		String source = this.sources.remove(id);
		if (source != null && !this.sources.containsValue(source)) {
			Integer number = this.refusals.remove(source);
			logger.info("No job of source '{}' is refused any more, after {}", source,
					LogText.counted((number != null) ? number : 0, "refusal"));
		}
	}

	/**
	 * The job that has its key stands for it, or another node takes its place.
	 */
	@Override
	public void lost(Completion completion, boolean again) {
		JobLogLine.log(() -> JobLogStep.LOST.line(logger, Level.INFO),
				"%s is not stored: another job has its key, or another node has its source".formatted(completion.job()),
				completion.cause());
	}

	@Override
	public void dropped(Completion completion) {
		JobLogLine.log(() -> JobLogStep.LOST.line(logger, Level.WARN),
				"Could not store %s before the worker stopped; its source delivers it again"
					.formatted(completion.job()),
				completion.cause());
	}

}
