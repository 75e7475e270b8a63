package io.jobqueue.docs;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * One job a night, whatever the number of nodes.
 */
@Component
class NightlyCleanup {

	private static final String ZONE = "Europe/Berlin";

	private final JobQueue jobQueue;

	private final List<LocalDate> cleaned = new CopyOnWriteArrayList<>();

	NightlyCleanup(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
	}

	@Scheduled(cron = "0 0 3 * * *", zone = ZONE)
	void enqueue() {
		LocalDate day = LocalDate.now(ZoneId.of(ZONE));
		this.jobQueue.enqueue(
				JobRequest.of("housekeeping", new Cleanup(day)).key("cleanup-" + day).dedupeFor(Duration.ofHours(23)));
	}

	@JobHandler(queue = "housekeeping")
	void handle(Cleanup cleanup) {
		this.cleaned.add(cleanup.day());
	}

	List<LocalDate> cleaned() {
		return this.cleaned;
	}

	/**
	 * A payload.
	 */
	record Cleanup(LocalDate day) {
	}

}
