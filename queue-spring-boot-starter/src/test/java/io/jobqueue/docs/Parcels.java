package io.jobqueue.docs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;

import io.jobqueue.JobPuller;
import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;

/**
 * Pulls a job whenever a worker of the warehouse is free.
 */
@Component
class Parcels {

	private static final JobSource<Record> WORK = JobSource.firstOf(JobSource.of("labels", LabelWanted.class),
			JobSource.of("pickups", PickupWanted.class));

	private final JobPuller puller;

	private final List<Object> done = new CopyOnWriteArrayList<>();

	Parcels(JobPuller puller) {
		this.puller = puller;
	}

	boolean printNext() throws InterruptedException {
		PulledJob<LabelWanted> job = this.puller.pull("labels", LabelWanted.class, Duration.ofSeconds(10));
		if (job != null) {
			job.run((label, context) -> print(label));
		}
		return job != null;
	}

	private JobResult print(LabelWanted label) {
		if (label.parcel() < 0) {
			throw new IllegalArgumentException("There is no such parcel");
		}
		this.done.add(label);
		return JobResult.success();
	}

	void assignNext() {
		try (PulledJob<Record> job = this.puller.tryPull(WORK)) {
			if (job != null && assign(job.payload())) {
				job.end(JobResult.success());
			}
		}
	}

	private boolean assign(Record work) {
		return this.done.size() < 2 && this.done.add(work);
	}

	List<Object> done() {
		return this.done;
	}

}
