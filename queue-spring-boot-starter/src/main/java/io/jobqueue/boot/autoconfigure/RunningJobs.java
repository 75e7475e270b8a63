package io.jobqueue.boot.autoconfigure;

import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.pull.DefaultJobPuller;
import io.jobqueue.worker.JobWorker;
import io.jobqueue.worker.execution.RunningJob;

/**
 * The jobs that run in this JVM.
 *
 * @param worker what has handlers run them
 * @param puller what has threads of the application pull them
 */
record RunningJobs(ObjectProvider<JobWorker> worker, ObjectProvider<DefaultJobPuller> puller) {

	Stream<RunningJob> stream() {
		return Stream.concat(this.worker.stream().flatMap((each) -> each.running().stream()),
				this.puller.stream().flatMap((each) -> each.running().stream()));
	}

}
