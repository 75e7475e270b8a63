package io.jobqueue.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobHandler;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Numbered jobs of a handler that takes up to eight of them in one call, and its calls.
 */
abstract class BatchHandlerTestBase extends NodeTestBase {

	/**
	 * The maximum number of jobs of a call.
	 */
	static final int SIZE = 8;

	/**
	 * The job that does something else than its neighbours.
	 */
	static final int ODD = 3;

	static final List<Integer> ALL = numbers(1, SIZE);

	static final Duration LONG = Duration.ofMinutes(10);

	final List<List<Integer>> calls = new CopyOnWriteArrayList<>();

	private List<UUID> ids = List.of();

	@Nullable QueueNode started;

	@BeforeEach
	void forgetCalls() {
		this.calls.clear();
	}

	/**
	 * Let one handler run jobs that are due when its node starts.
	 */
	final void run(int jobs, Object handler) {
		run(jobs, handler, (settings) -> settings);
	}

	final void run(int jobs, Object handler, UnaryOperator<TestNodeSettings> settings) {
		run(jobs, handler, settings, BatchHandlerTestBase::request);
	}

	final void run(int jobs, Object handler, UnaryOperator<TestNodeSettings> settings,
			IntFunction<JobRequest> request) {
		QueueNode node = node(settings.apply(settings().concurrency(1).claimsByFetcher().bean(handler)));
		this.started = node;
		enqueue(node, jobs, request);
		node.start();
	}

	final void enqueue(QueueNode node, int jobs, IntFunction<JobRequest> request) {
		this.ids = node.queue()
			.enqueueAll(IntStream.rangeClosed(1, jobs).mapToObj(request).toList())
			.stream()
			.map(JobReceipt::id)
			.toList();
	}

	static JobRequest request(int number) {
		return JobRequest.of("emails", new Mail(String.valueOf(number)));
	}

	static List<Integer> numbers(int first, int last) {
		return IntStream.rangeClosed(first, last).boxed().toList();
	}

	/**
	 * Note a call.
	 * @return the numbers of its jobs
	 */
	final List<Integer> called(Collection<Mail> mails) {
		List<Integer> numbers = mails.stream().map((mail) -> Integer.valueOf(mail.text())).toList();
		this.calls.add(numbers);
		return numbers;
	}

	final List<Integer> called(JobBatch<Mail> mails) {
		return called(mails.items().stream().map(Item::payload).toList());
	}

	final UUID id(int number) {
		return this.ids.get(number - 1);
	}

	final int number(UUID id) {
		return this.ids.indexOf(id) + 1;
	}

	final void awaitSuccess(int jobs) {
		await().untilAsserted(() -> assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED'")).isEqualTo(jobs));
		await().until(() -> count("jobqueue_claim") == 0);
	}

	final int failures(int number) {
		return column("failures", id(number), Integer.class);
	}

	final int attempts(int number) {
		return column("attempts", id(number), Integer.class);
	}

	/**
	 * What a call does with its jobs.
	 */
	@FunctionalInterface
	interface Call<T> {

		void handle(T jobs) throws Exception;

	}

	/**
	 * Handles lists, without results.
	 */
	record ForAll(Call<List<Mail>> call) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms")
		void handle(List<Mail> mails) throws Exception {
			this.call.handle(mails);
		}

	}

	/**
	 * Handles lists, in transactions, without results.
	 */
	record InTransaction(Call<List<Mail>> call) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms", delivery = Delivery.TRANSACTIONAL)
		void handle(List<Mail> mails) throws Exception {
			this.call.handle(mails);
		}

	}

	/**
	 * Returns a result for each job.
	 */
	record ForEach(Answer answer) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms")
		List<JobResult> handle(List<Mail> mails) throws Exception {
			return this.answer.handle(mails);
		}

	}

	/**
	 * Returns a result for each job.
	 */
	@FunctionalInterface
	interface Answer {

		List<JobResult> handle(List<Mail> mails) throws Exception;

	}

	/**
	 * Decides the result of each job.
	 */
	record Deciding(Call<JobBatch<Mail>> call) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms")
		void handle(JobBatch<Mail> mails) throws Exception {
			this.call.handle(mails);
		}

	}

	/**
	 * Decides the result of each job, in transactions.
	 */
	record DecidingInTransaction(Call<JobBatch<Mail>> call) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms", delivery = Delivery.TRANSACTIONAL)
		void handle(JobBatch<Mail> mails) throws Exception {
			this.call.handle(mails);
		}

	}

	/**
	 * A payload of another type.
	 *
	 * @param number its number
	 */
	@JobType("parcel")
	record Parcel(int number) {
	}

}
