package io.jobqueue.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs share a call, and what their handler answers.
 */
class BatchHandlerTests extends BatchHandlerTestBase {

	@Test
	void waitingJobsShareACall() {
		run(SIZE, new ForAll(this::called));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(ALL);
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND failures = 0 AND started_at <= finished_at"))
			.isEqualTo(SIZE);
	}

	@Test
	void callHasALimitedSize() {
		run(3 * SIZE, new ForAll(this::called));
		awaitSuccess(3 * SIZE);
		assertThat(this.calls).containsExactly(ALL, numbers(SIZE + 1, 2 * SIZE), numbers(2 * SIZE + 1, 3 * SIZE));
	}

	@Test
	void callBeginsWithFewerJobs() {
		run(2, new ForAll(this::called));
		awaitSuccess(2);
		assertThat(this.calls).containsExactly(List.of(1, 2));
	}

	@Test
	void firstClaimFillsACallThatDoesNotWait() {
		run(SIZE, new Impatient(this));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(ALL);
	}

	/**
	 * The first one is claimed by the thread of an idle handler, which waits for the
	 * others.
	 */
	@Test
	void newJobWaitsForOthers() {
		QueueNode node = started((settings) -> settings.bean(new ForAll(this::called)));
		for (int number = 1; number <= SIZE; number++) {
			node.queue().enqueue(request(number));
		}
		awaitSuccess(SIZE);
		assertThat(this.calls).hasSize(1);
		assertThat(this.calls.get(0)).containsExactlyInAnyOrderElementsOf(ALL);
	}

	@Test
	void handlerAnswersForEach() {
		run(4, new ForEach((mails) -> Stream.of(called(mails)).flatMap(List::stream).map(this::answer).toList()));
		awaitState(id(2), "DEAD");
		awaitState(id(1), "SUCCEEDED");
		await().until(() -> attempts(4) == 0);
		assertThat(column("last_error", id(2), String.class)).isEqualTo("refused");
		await().until(() -> failures(3) == 1);
		assertThat(this.calls.get(0)).containsExactly(1, 2, 3, 4);
	}

	private JobResult answer(int number) {
		return switch (number) {
			case 1 -> JobResult.success();
			case 2 -> JobResult.fail("refused");
			case 3 -> JobResult.retryIn(LONG);
			default -> JobResult.snooze(LONG);
		};
	}

	@Test
	void wrongNumberOfResultsFailsEachAttempt() {
		run(SIZE, new ForEach((mails) -> {
			called(mails);
			return List.of(JobResult.success());
		}));
		awaitSuccess(SIZE);
		assertThat(ALL).extracting(this::failures).containsOnly(1);
		assertThat(column("last_error", id(1), String.class)).contains("ForEach.handle",
				"returned 1 result for 8 jobs in one call");
		assertThat(this.calls).hasSize(1 + SIZE).startsWith(ALL);
	}

	@Test
	void missingResultFailsEachAttempt() {
		run(SIZE, new ForEach((mails) -> {
			List<JobResult> results = new ArrayList<>(mails.stream().map((mail) -> JobResult.success()).toList());
			results.set(called(mails).size() - 1, (results.size() > 1) ? null : JobResult.success());
			return results;
		}));
		awaitSuccess(SIZE);
		assertThat(ALL).extracting(this::failures).containsOnly(1);
		assertThat(column("last_error", id(1), String.class)).contains("returned null as result 8 of 8");
	}

	@Test
	void handlerDecidesOneByOneWithTheirContexts() {
		List<String> seen = new CopyOnWriteArrayList<>();
		run(SIZE, new Deciding((mails) -> {
			called(mails);
			mails.items()
				.forEach((item) -> seen.add(item.payload().text() + item.job().headers().get("number")
						+ item.job().key() + number(item.job().id())));
			mails.complete(mails.items().get(ODD - 1), JobResult.success());
			mails.complete(mails.items().get(ODD - 1), JobResult.fail("refused"));
		}), (settings) -> settings,
				(number) -> request(number).header("number", String.valueOf(number)).key("k" + number));
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(this.calls).hasSize(1);
		assertThat(seen).containsExactlyElementsOf(
				ALL.stream().map((number) -> "%d%dk%d%d".formatted(number, number, number, number)).toList());
	}

	@Test
	void typesDoNotShareACall() {
		List<Integer> parcels = new CopyOnWriteArrayList<>();
		run(SIZE, new OfTwoTypes(this, parcels), (settings) -> settings,
				(number) -> (number % 2 == 0) ? JobRequest.of("emails", new Parcel(number)) : request(number));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(List.of(1, 3, 5, 7));
		assertThat(parcels).containsExactly(2, 4, 6, 8);
	}

	@Test
	void queueMayHaveHandlersOfSingleJobs() {
		run(SIZE, new WithSingles(this), (settings) -> settings,
				(number) -> (number % 2 == 0) ? JobRequest.of("emails", new Parcel(number)) : request(number));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactlyInAnyOrder(List.of(1, 3, 5, 7), List.of(2), List.of(4), List.of(6),
				List.of(8));
	}

	@Test
	@Tag("slow") // jobs that wait for others of their keys
	void jobsOfAnOrderingKeyDoNotShareACall() {
		run(2 * SIZE, new ForAll(this::called), (settings) -> settings,
				(number) -> request(number).orderedBy("customer-" + number % 4));
		awaitSuccess(2 * SIZE);
		assertThat(this.calls)
			.allSatisfy((call) -> assertThat(call.stream().map((number) -> number % 4)).doesNotHaveDuplicates())
			.anyMatch((call) -> call.size() > 1);
		assertThat(this.calls.stream().flatMap(List::stream).filter((number) -> number % 4 == 0)).isSorted();
	}

	@Test
	@Tag("slow") // jobs that wait for others of their keys
	void slotsOfALimitKeyCountJobs() {
		run(SIZE, new ForAll(this::called), (settings) -> settings.keys(new AdmissionRules(2, false)),
				(number) -> request(number).limitedBy("customer"));
		awaitSuccess(SIZE);
		assertThat(this.calls).hasSizeGreaterThanOrEqualTo(SIZE / 2).allMatch((call) -> call.size() <= 2);
	}

	@Test
	void concurrencyOverAllNodesCountsJobs() {
		run(SIZE, new ForAll(this::called), (settings) -> settings.limits(new ClusterLimits(3, null)));
		awaitSuccess(SIZE);
		assertThat(this.calls).hasSizeGreaterThanOrEqualTo(3).allMatch((call) -> call.size() <= 3);
	}

	/**
	 * Handles the mails that are there.
	 */
	record Impatient(BatchHandlerTests test) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "0ms")
		void handle(List<Mail> mails) {
			this.test.called(mails);
		}

	}

	/**
	 * Handles mails and parcels, several of each.
	 */
	record OfTwoTypes(BatchHandlerTests test, List<Integer> parcels) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms")
		void handle(List<Mail> mails) {
			this.test.called(mails);
		}

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms")
		void deliver(List<Parcel> parcels) {
			parcels.forEach((parcel) -> this.parcels.add(parcel.number()));
		}

	}

	/**
	 * Handles several mails and single parcels.
	 */
	record WithSingles(BatchHandlerTests test) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms")
		void handle(List<Mail> mails) {
			this.test.called(mails);
		}

		@JobHandler(queue = "emails")
		void deliver(Parcel parcel) {
			this.test.calls.add(List.of(parcel.number()));
		}

	}

}
