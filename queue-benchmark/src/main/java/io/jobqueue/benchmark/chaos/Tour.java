package io.jobqueue.benchmark.chaos;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.jobqueue.Delivery;
import io.jobqueue.JobRequest;
import io.jobqueue.WorkflowDefinition;

import static io.jobqueue.WorkflowDefinition.after;

/**
 * The input of a workflow of four errands: one, two after it, and one after both. None is
 * delivered at most once, so that all of them succeed in the end.
 *
 * @param errands the errands, in the order of the steps
 */
record Tour(List<Errand> errands) {

	static final String NAME = "tour";

	private static final int STEPS = 4;

	static WorkflowDefinition<Tour> workflow() {
		return WorkflowDefinition.named(NAME, Tour.class)
			.step("first", (tour) -> tour.request(0))
			.step("left", (tour) -> tour.request(1), after("first"))
			.step("right", (tour) -> tour.request(2), after("first"))
			.step("last", (tour) -> tour.request(3), after("left", "right"))
			.build();
	}

	static Tour any(Random random) {
		return new Tour(Stream.generate(() -> Errand.any(random))
			.filter((errand) -> errand.delivery() != Delivery.AT_MOST_ONCE)
			.limit(STEPS)
			.toList());
	}

	private JobRequest request(int step) {
		return JobRequest.of(Errands.QUEUE, this.errands.get(step));
	}

}
