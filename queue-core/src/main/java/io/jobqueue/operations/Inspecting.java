package io.jobqueue.operations;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import io.jobqueue.GroupProgress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobPage;
import io.jobqueue.JobPayload;
import io.jobqueue.JobQuery;
import io.jobqueue.event.JobInfos;
import io.jobqueue.store.SearchStore;
import io.jobqueue.store.SearchStore.SearchResult;

/**
 * Shows jobs to people.
 */
final class Inspecting {

	/**
	 * Somebody waits for the page.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final int MAX_PAYLOAD = 10_000;

	private final SearchStore store;

	Inspecting(SearchStore store) {
		this.store = store;
	}

	Optional<JobInfo> find(UUID id) {
		return Optional.ofNullable(this.store.find(id)).map(JobInfos::of);
	}

	Optional<JobPayload> payload(UUID id) {
		return Optional.ofNullable(this.store.payload(id, MAX_PAYLOAD));
	}

	Optional<JobInfo> findByKey(String queue, String key) {
		return Optional.ofNullable(this.store.findByKey(queue, key)).map(JobInfos::of);
	}

	JobPage list(JobQuery query) {
		SearchResult found = this.store.search(query, PATIENCE);
		return new JobPage(found.jobs().stream().map(JobInfos::of).toList(), found.next(), found.partial());
	}

	GroupProgress groupProgress(String queue, String group) {
		return new GroupProgress(this.store.countGroup(queue, group));
	}

	GroupProgress groupProgress(String group) {
		return new GroupProgress(this.store.countGroup(group));
	}

}
