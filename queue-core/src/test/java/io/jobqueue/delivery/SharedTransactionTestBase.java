package io.jobqueue.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Twenty numbered jobs, one handler, and in which transaction each job has its effect.
 */
abstract class SharedTransactionTestBase extends NodeTestBase {

	static final int JOBS = 20;

	/**
	 * The job that does something else than its neighbours.
	 */
	static final int ODD = 7;

	static final Duration LONG = Duration.ofMinutes(10);

	final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	final Map<Integer, Integer> runs = new ConcurrentHashMap<>();

	private List<UUID> ids = List.of();

	QueueNode node;

	@BeforeEach
	void prepare() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS effect (number integer, xid text)").update();
		this.sql.sql("TRUNCATE effect").update();
		this.runs.clear();
		this.node = producer();
	}

	/**
	 * Run the jobs. Each has its effect before it does what is given, which may end it.
	 */
	final void run(Numbered behaviour) {
		run(behaviour, (settings) -> settings);
	}

	final void run(Numbered behaviour, UnaryOperator<TestNodeSettings> settings) {
		run(behaviour, settings, (number) -> JobRequest.of("emails", mail(number)));
	}

	final void run(Numbered behaviour, UnaryOperator<TestNodeSettings> settings,
			TransactionExecutionListener listener) {
		wire(behaviour, settings);
		((JdbcTransactionManager) this.node.transactionManager()).addListener(listener);
		start((number) -> JobRequest.of("emails", mail(number)));
	}

	final void run(Numbered behaviour, UnaryOperator<TestNodeSettings> settings, IntFunction<JobRequest> request) {
		wire(behaviour, settings);
		start(request);
	}

	private void wire(Numbered behaviour, UnaryOperator<TestNodeSettings> settings) {
		this.node = node(settings.apply(settings().transactions(JOBS, LONG).bean(new Effects(this, behaviour))));
	}

	private void start(IntFunction<JobRequest> request) {
		this.ids = this.node.queue()
			.enqueueAll(IntStream.rangeClosed(1, JOBS).mapToObj(request).toList())
			.stream()
			.map(JobReceipt::id)
			.toList();
		this.node.start();
	}

	static Mail mail(int number) {
		return new Mail(String.valueOf(number));
	}

	final UUID id(int number) {
		return this.ids.get(number - 1);
	}

	final void awaitSuccess() {
		await().untilAsserted(() -> assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED'")).isEqualTo(JOBS));
		await().until(() -> count("jobqueue_claim") == 0);
	}

	/**
	 * Each job has had its effect once. Return the jobs of each transaction, in order.
	 */
	final List<List<Integer>> transactions() {
		awaitSuccess();
		List<Integer> numbers = new ArrayList<>();
		List<List<Integer>> transactions = new ArrayList<>();
		this.sql.sql("SELECT array_agg(number ORDER BY number) FROM effect GROUP BY xid ORDER BY min(number)")
			.query((row, number) -> (Integer[]) row.getArray(1).getArray())
			.list()
			.forEach((jobs) -> {
				transactions.add(List.of(jobs));
				numbers.addAll(List.of(jobs));
			});
		assertThat(numbers).containsExactlyInAnyOrderElementsOf(numbers(1, JOBS));
		return transactions;
	}

	static List<Integer> numbers(int first, int last) {
		return IntStream.rangeClosed(first, last).boxed().toList();
	}

	/**
	 * Assert that those up to the odd one run alone. The others have not begun, and share
	 * a transaction, but for those that have been claimed for more than a second by then.
	 */
	final void assertAlone() {
		List<List<Integer>> transactions = transactions();
		assertThat(transactions.subList(0, ODD)).isEqualTo(numbers(1, ODD).stream().map(List::of).toList());
		assertThat(transactions.get(ODD)).hasSizeGreaterThan(1).startsWith(ODD + 1);
	}

	final int failures(int number) {
		return column("failures", id(number), Integer.class);
	}

	final boolean isFirstRun(int number) {
		return this.runs.get(number) == 1;
	}

	private void effect(int number) {
		this.runs.merge(number, 1, Integer::sum);
		this.jdbc.update("INSERT INTO effect VALUES (?, pg_current_xact_id()::text)", number);
	}

	/**
	 * What a job does beside its effect.
	 */
	@FunctionalInterface
	interface Numbered {

		JobResult handle(int number, JobContext job) throws Exception;

	}

	record Effects(SharedTransactionTestBase test, Numbered behaviour) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		JobResult run(Mail mail, JobContext job) throws Exception {
			int number = Integer.parseInt(mail.text());
			this.test.effect(number);
			return this.behaviour.handle(number, job);
		}

	}

}
