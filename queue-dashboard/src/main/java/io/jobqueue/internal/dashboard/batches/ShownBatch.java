package io.jobqueue.internal.dashboard.batches;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.jobqueue.BatchDetails;
import io.jobqueue.internal.dashboard.ShortText;
import io.jobqueue.JobState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.jobs.JobLinks;

/**
 * A batch as a page shows it.
 *
 * @param details the batch
 * @param name its name, or asterisks in its place
 * @param progress how far it is
 */
public record ShownBatch(BatchDetails details, String name, Progress progress) {

	private static final int MAX_TITLE = 100;

	static ShownBatch of(BatchDetails batch, ValueSanitizer sanitizer) {
		return new ShownBatch(batch, String.valueOf(sanitizer.text(batch.name())), Progress.of(batch.info()));
	}

	/**
	 * Return the beginning of the name.
	 * @return up to 100 characters
	 */
	public String title() {
		return ShortText.of(this.name, MAX_TITLE);
	}

	/**
	 * Return the address of the list of the members.
	 * @param states the states of the members, none for all
	 * @return the path with its parameters
	 */
	public String members(JobState... states) {
		Map<String, String> conditions = new LinkedHashMap<>(Map.of("batch", this.details.id().toString()));
		if (states.length > 0) {
			conditions.put("state", Stream.of(states).map(JobState::name).collect(Collectors.joining(",")));
		}
		return JobLinks.list(conditions);
	}

	/**
	 * Return the address of the list of the members that have not ended.
	 * @return the path with its parameters
	 */
	public String unfinishedMembers() {
		return members(Stream.of(JobState.values()).filter((state) -> !state.isFinished()).toArray(JobState[]::new));
	}

	/**
	 * Return the state of the batch.
	 * @return {@code open} until it is sealed, then {@code sealed} until it is finished
	 */
	public String state() {
		if (this.details.finishedAt() != null) {
			return (this.details.info().failed() > 0) ? "finished with failures" : "finished";
		}
		return (this.details.sealedAt() != null) ? "sealed" : "open";
	}

	/**
	 * Return how the state looks.
	 * @return the end of the name of a style
	 */
	public String style() {
		if (this.details.finishedAt() != null) {
			return (this.details.info().failed() > 0) ? "bad" : "good";
		}
		return (this.details.sealedAt() != null) ? "running" : "warn";
	}

}
