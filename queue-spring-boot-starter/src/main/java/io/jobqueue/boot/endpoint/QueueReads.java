package io.jobqueue.boot.endpoint;

import java.util.List;

import io.jobqueue.GroupProgress;
import io.jobqueue.JobOperations;
import io.jobqueue.QueuePause;

/**
 * Counts jobs, and shows what is paused.
 */
final class QueueReads {

	private final JobOperations operations;

	QueueReads(JobOperations operations) {
		this.operations = operations;
	}

	Object overview(Arguments arguments) {
		arguments.requireOnly();
		return OverviewDescriptor.of(this.operations.stats(), this.operations.pauses());
	}

	Object show(String queue, Arguments arguments) {
		arguments.requireOnly();
		CountsDescriptor counts = CountsDescriptor.of(this.operations.stats(queue));
		List<QueuePause> pauses = this.operations.pauses()
			.stream()
			.filter((pause) -> pause.queue().equals(queue))
			.limit(OverviewDescriptor.MAX_ROWS)
			.toList();
		return new QueueDescriptor(counts.jobs(), counts.estimates(), pauses);
	}

	Object group(String queue, Arguments arguments, Values values) {
		return describe(this.operations.groupProgress(queue, name(arguments, values)));
	}

	Object group(Arguments arguments, Values values) {
		return describe(this.operations.groupProgress(name(arguments, values)));
	}

	private static String name(Arguments arguments, Values values) {
		arguments.requireOnly("name");
		values.requireShownFor(arguments, "name");
		return arguments.requiredText("name");
	}

	private static GroupDescriptor describe(GroupProgress progress) {
		return new GroupDescriptor(CountsDescriptor.sorted(progress.counts()), progress.total(), progress.finished());
	}

}
