package io.jobqueue.observation;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What interceptors can do about a run.
 */
class RunInterceptorTests extends NodeTestBase {

	private static final Behaviour SUCCEEDING = (job) -> JobResult.success();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final InterceptorCalls calls = new InterceptorCalls();

	private final AtomicReference<Throwable> seen = new AtomicReference<>();

	@BeforeEach
	void prepare() {
		this.calls.clear();
		this.seen.set(null);
		this.sql.sql("CREATE TABLE IF NOT EXISTS audit (id integer)").update();
		this.sql.sql("TRUNCATE audit").update();
	}

	@Test
	void firstOneIsOutermost() {
		UUID job = run((settings) -> settings.bean(this.calls.second())
			.bean(this.calls.first())
			.bean(new AtLeastOnce(SUCCEEDING)));
		awaitState(job, "SUCCEEDED");
		assertThat(this.calls.runs()).containsExactly("first", "second", "second is back", "first is back");
	}

	@Test
	void whatIsThrownFailsTheAttempt() {
		UUID job = run((settings) -> settings.maxAttempts(1).bean(new AtLeastOnce(SUCCEEDING)).bean(around((next) -> {
			throw new IllegalStateException("no such tenant");
		})));
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class))
			.startsWith("java.lang.IllegalStateException: no such tenant");
	}

	@Test
	void resultDecidesLikeTheHandlers() {
		UUID job = run((settings) -> settings.bean(new AtLeastOnce(SUCCEEDING)).bean(around((next) -> {
			assertThat(next.call()).isEqualTo(JobResult.success());
			return JobResult.fail("the interceptor says so");
		})));
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).isEqualTo("the interceptor says so");
	}

	@Test
	void handlerNeedNotBeCalled() {
		UUID job = run((settings) -> settings.bean(new AtLeastOnce((context) -> {
			throw new AssertionError("not called");
		})).bean(around((next) -> JobResult.success())));
		awaitState(job, "SUCCEEDED");
	}

	static List<Throwable> throwables() {
		return List.of(new NoSuchFieldException("checked"), new AssertionError("error"), new Oddity());
	}

	@ParameterizedTest
	@MethodSource("throwables")
	void interceptorCatchesTheExceptionOfTheHandler(Throwable thrown) {
		UUID job = run((settings) -> settings.maxAttempts(1).bean(new AtLeastOnce((context) -> {
			throw thrown;
		})).bean(around((next) -> {
			this.seen.set(catchThrowable(next::call));
			return next.call();
		})));
		awaitState(job, "DEAD");
		assertThat(this.seen.get()).isSameAs(thrown);
		assertThat(column("last_error", job, String.class)).startsWith(thrown.getClass().getName());
	}

	@Test
	void failOnAppliesToTheExceptionOfTheChain() {
		UUID job = run((settings) -> settings.bean(new AtLeastOnce(SUCCEEDING)).bean(around((next) -> {
			next.call();
			throw new Hopeless();
		})));
		awaitState(job, "DEAD");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void succeedOnAppliesToTheExceptionOfTheChain() {
		UUID job = run((settings) -> settings.maxAttempts(1).bean(new AtLeastOnce((context) -> {
			throw new IllegalStateException("refused");
		})).bean(around((next) -> {
			this.seen.set(catchThrowable(next::call));
			throw new AlreadyDone();
		})));
		awaitState(job, "SUCCEEDED");
		assertThat(this.seen.get()).hasMessage("refused");
	}

	@Test
	void interceptorRunsInTheTransactionOfTheHandler() {
		UUID job = run((settings) -> settings.maxAttempts(1).bean(new Transactional((context) -> {
			audit(1);
			return JobResult.success();
		})).bean(around((next) -> {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
			audit(2);
			next.call();
			throw new IllegalStateException("all or nothing");
		})));
		awaitState(job, "DEAD");
		assertThat(count("audit")).isZero();
	}

	@Test
	void interceptorsWritesAreCommittedWithTheCompletion() {
		UUID job = run((settings) -> settings.bean(new Transactional((context) -> {
			audit(1);
			return JobResult.success();
		})).bean(around((next) -> {
			audit(2);
			return next.call();
		})));
		awaitState(job, "SUCCEEDED");
		assertThat(count("audit")).isEqualTo(2);
	}

	@Test
	void missingResultNamesTheInterceptor() {
		UUID job = run(
				(settings) -> settings.maxAttempts(1).bean(new AtLeastOnce(SUCCEEDING)).bean(around((next) -> null)));
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains(Lambda.class.getName())
			.contains("aroundRun must return a result");
	}

	private void audit(int id) {
		this.jdbc.update("INSERT INTO audit VALUES (?)", id);
	}

	private static JobInterceptor around(Around around) {
		return new Lambda(around);
	}

	private UUID run(UnaryOperator<TestNodeSettings> settings) {
		return started(settings).queue().enqueue("emails", new Mail("hi")).id();
	}

	/**
	 * What a handler does.
	 */
	interface Behaviour {

		JobResult handle(JobContext job) throws Throwable;

	}

	record AtLeastOnce(Behaviour behaviour) {

		@JobHandler(queue = "emails", failOn = Hopeless.class, succeedOn = AlreadyDone.class)
		JobResult run(Mail mail, JobContext job) throws Throwable {
			return this.behaviour.handle(job);
		}

	}

	record Transactional(Behaviour behaviour) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		JobResult run(Mail mail, JobContext job) throws Throwable {
			return this.behaviour.handle(job);
		}

	}

	/**
	 * What an interceptor does.
	 */
	interface Around {

		JobResult run(Callable<JobResult> next) throws Exception;

	}

	private record Lambda(Around around) implements JobInterceptor {

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			assertThat(job.queue()).isEqualTo("emails");
			return this.around.run(next);
		}

	}

	@SuppressWarnings("serial")
	private static final class Hopeless extends Exception {

	}

	@SuppressWarnings("serial")
	private static final class AlreadyDone extends Exception {

	}

	/**
	 * Neither an exception nor an error.
	 */
	@SuppressWarnings("serial")
	private static final class Oddity extends Throwable {

	}

}
