package io.jobqueue.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Batch;
import io.jobqueue.Delivery;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.ReplacedDataSource;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The pool behind the data source is replaced while a transaction is open, as by the
 * refresh of a scope. Spring finds a connection by the target of the data source: it
 * would return another one from then on, which commits each statement.
 */
class ReplacedDataSourceTests extends NodeTestBase {

	private static final Mail MAIL = new Mail("hi");

	private ReplacedDataSource dataSource = new ReplacedDataSource(this.pool);

	private JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private QueueNode node = producer();

	@BeforeEach
	void prepare() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS payment (id integer)").update();
		this.sql.sql("TRUNCATE payment").update();
		this.dataSource = new ReplacedDataSource(closeLater(pool(3)));
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.node = node(settings(this.dataSource));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void handlerWhosePoolIsReplacedRunsAgain(boolean terminated) {
		UUID job = run((context) -> {
			pay(context.attempt());
			if (context.attempt() == 1) {
				replace(terminated);
			}
			return JobResult.success();
		});
		assertRanTwice(job);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void handlerEnqueuesNothingAfterThePoolIsReplaced(boolean terminated) {
		UUID job = run((context) -> {
			if (context.attempt() == 1) {
				replace(terminated);
			}
			this.node.queue().enqueue("receipts", MAIL);
			this.jdbc.update("INSERT INTO payment VALUES (?)", context.attempt());
			return JobResult.success();
		});
		assertRanTwice(job);
	}

	@ParameterizedTest
	@ValueSource(ints = { TransactionDefinition.PROPAGATION_NESTED, TransactionDefinition.PROPAGATION_REQUIRED })
	void innerTransactionEnqueuesNothingAfterPoolIsReplaced(int propagation) {
		UUID job = run((context) -> {
			if (context.attempt() == 1) {
				replace(true);
			}
			TransactionTemplate inner = new TransactionTemplate(this.node.transactionManager());
			inner.setPropagationBehavior(propagation);
			inner.executeWithoutResult((status) -> pay(context.attempt()));
			return JobResult.success();
		});
		assertRanTwice(job);
	}

	static final List<Arguments> ENDS = Stream.<Behaviour>of((context) -> JobResult.success(),
			(context) -> JobResult.retryIn(Duration.ofHours(1)), (context) -> {
				throw new IllegalStateException("refused");
			})
		.map(Arguments::of)
		.toList();

	/**
	 * Spring leaves the connection of the first job bound to the only handler thread.
	 */
	@ParameterizedTest
	@FieldSource("ENDS")
	void handlerJoinsNoEarlierTransactionOnceThePoolIsBack(Behaviour end) {
		HikariDataSource original = closeLater(pool(3));
		this.dataSource.replaceBy(original);
		AtomicInteger runs = new AtomicInteger();
		UUID first = run((context) -> {
			pay(runs.incrementAndGet());
			if (runs.get() > 1) {
				return JobResult.success();
			}
			replace(false);
			return end.handle(context);
		}, settings(this.dataSource).concurrency(1).maxAttempts(1));
		awaitState(first, "DEAD");
		this.dataSource.replaceBy(original);
		awaitState(this.node.queue().enqueue("emails", MAIL).id(), "SUCCEEDED");
		assertThat(this.sql.sql("SELECT id FROM payment").query(Integer.class).list()).containsExactly(2);
		assertThat(count("jobqueue_job WHERE queue = 'receipts'")).isOne();
		await().untilAsserted(() -> assertThat(original.getHikariPoolMXBean().getActiveConnections()).isZero());
	}

	/**
	 * Spring cannot end the inner transaction, and does not resume that of the handler.
	 */
	@Test
	void outerConnectionIsReturnedIfInnerScopeReplacesThePool() {
		HikariDataSource original = closeLater(pool(3));
		this.dataSource.replaceBy(original);
		UUID job = run((context) -> {
			pay(context.attempt());
			if (context.attempt() == 1) {
				TransactionTemplate inner = new TransactionTemplate(this.node.transactionManager());
				inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
				inner.executeWithoutResult((status) -> replace(false));
			}
			return JobResult.success();
		}, settings(this.dataSource).concurrency(1));
		awaitState(job, "SUCCEEDED");
		assertThat(column("last_error", job, String.class)).contains("No value for key");
		assertThat(this.sql.sql("SELECT id FROM payment").query(Integer.class).list()).containsExactly(2);
		await().untilAsserted(() -> assertThat(original.getHikariPoolMXBean().getActiveConnections()).isZero());
	}

	private void assertRanTwice(UUID job) {
		awaitState(job, "SUCCEEDED");
		assertThat(column("failures", job, Integer.class)).isOne();
		assertThat(column("last_error", job, String.class)).contains("DataSource that was replaced");
		assertThat(this.sql.sql("SELECT id FROM payment").query(Integer.class).list()).containsExactly(2);
		assertThat(count("jobqueue_job WHERE queue = 'receipts'")).isOne();
	}

	private void pay(int attempt) {
		this.jdbc.update("INSERT INTO payment VALUES (?)", attempt);
		this.node.queue().enqueue("receipts", MAIL);
	}

	private UUID run(Behaviour behaviour) {
		return run(behaviour, settings(this.dataSource));
	}

	private UUID run(Behaviour behaviour, TestNodeSettings settings) {
		this.node = node(settings.bean(Handlers.of(Delivery.TRANSACTIONAL, behaviour))).start();
		return this.node.queue().enqueue("emails", MAIL).id();
	}

	/**
	 * A pool that is closed ends its connections as well.
	 */
	private void replace(boolean terminates) {
		Integer session = this.jdbc.queryForObject("SELECT pg_backend_pid()", Integer.class);
		this.dataSource.replaceBy(closeLater(pool(3)));
		if (terminates) {
			this.sql.sql("SELECT pg_terminate_backend(?)").param(session).query(Boolean.class).single();
		}
	}

	static final List<Arguments> WRITES = Stream
		.<Consumer<QueueNode>>of((node) -> node.queue().enqueue("receipts", MAIL),
				(node) -> node.queue().enqueue(JobRequest.of("receipts", MAIL).key("k")),
				(node) -> node.queue().enqueueAll(List.of(MAIL, MAIL)), (node) -> {
					Batch unused = node.queue().batch("import").then(MAIL).start();
				}, (node) -> node.recurring().save(RecurringJobRequest.of("new", MAIL).fixedRate(Duration.ofHours(1))),
				(node) -> node.recurring().delete("old"))
		.map(Arguments::of)
		.toList();

	@ParameterizedTest
	@FieldSource("WRITES")
	void callerWritesNothingAfterThePoolIsReplaced(Consumer<QueueNode> write) {
		this.node.recurring().save(RecurringJobRequest.of("old", MAIL).fixedRate(Duration.ofHours(1)));
		assertRejected(this.node, write);
		assertThat(count("jobqueue_job")).isZero();
		assertThat(count("jobqueue_batch")).isZero();
		assertThat(this.sql.sql("SELECT name FROM jobqueue_recurring").query(String.class).list())
			.containsExactly("old");
	}

	@Test
	void requiredTransactionOfAReplacedPoolIsNotMissing() {
		QueueNode strict = node(settings(this.dataSource).requireTransaction());
		assertRejected(strict, (node) -> node.queue().enqueue("receipts", MAIL));
		assertThat(count("jobqueue_job")).isZero();
	}

	/**
	 * Spring cannot end such a transaction: its exception takes precedence over that of
	 * the callback.
	 */
	private void assertRejected(QueueNode node, Consumer<QueueNode> write) {
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		assertThatIllegalStateException().isThrownBy(() -> node.transaction().executeWithoutResult((status) -> {
			this.jdbc.update("INSERT INTO payment VALUES (1)");
			replace(false);
			thrown.set(catchThrowable(() -> write.accept(node)));
			status.setRollbackOnly();
		})).withMessageContaining("No value for key");
		assertThat(thrown.get()).isInstanceOf(JobRejectedException.class)
			.hasMessageContaining("'transaction' began on a connection of a DataSource that was replaced since")
			.hasMessageContaining("run the transaction again");
	}

	@Test
	void jobsBelongToTheTransactionBehindOtherProxies() {
		List.of(new TransactionAwareDataSourceProxy(this.dataSource),
				new LazyConnectionDataSourceProxy(this.dataSource))
			.forEach((proxy) -> {
				QueueNode behind = node(settings(proxy));
				behind.transaction().executeWithoutResult((status) -> {
					new JdbcTemplate(proxy).update("INSERT INTO payment VALUES (1)");
					behind.queue().enqueue("receipts", MAIL);
					status.setRollbackOnly();
				});
			});
		assertThat(count("payment")).isZero();
		assertThat(count("jobqueue_job")).isZero();
	}

	/**
	 * Spring binds the connection to the routing data source, not to its target.
	 */
	@Test
	void routeThatChangesWithinATransactionChangesNothing() {
		SwitchedRoute routes = new SwitchedRoute(this.pool, closeLater(pool(2)));
		QueueNode routed = node(settings(routes));
		routed.transaction().executeWithoutResult((status) -> {
			new JdbcTemplate(routes).update("INSERT INTO payment VALUES (1)");
			routes.route = "second";
			routed.queue().enqueue("receipts", MAIL);
			status.setRollbackOnly();
		});
		assertThat(count("jobqueue_job")).isZero();
		routed.transaction().executeWithoutResult((status) -> routed.queue().enqueue("receipts", MAIL));
		assertThat(count("jobqueue_job")).isOne();
	}

	private static final class SwitchedRoute extends AbstractRoutingDataSource {

		private String route = "first";

		private SwitchedRoute(DataSource first, DataSource second) {
			setTargetDataSources(Map.of("first", first, "second", second));
			afterPropertiesSet();
		}

		@Override
		protected Object determineCurrentLookupKey() {
			return this.route;
		}

	}

}
