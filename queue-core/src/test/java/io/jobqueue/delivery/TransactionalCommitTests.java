package io.jobqueue.delivery;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PreferQueryMode;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestPool;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The COMMIT of a transactional job is sent with its completion, unless the application
 * may still write between the two.
 */
@Tag("pooler") // transactions of handlers
class TransactionalCommitTests extends NodeTestBase {

	private static final String OF_THE_SESSION = """
			SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings
			WHERE name IN ('plan_cache_mode', 'jit', 'enable_seqscan', 'enable_bitmapscan')
			""";

	private final WatchedCommits watched = new WatchedCommits(this.pool);

	private JdbcTemplate jdbc = new JdbcTemplate(this.watched);

	private QueueNode node = producer();

	@BeforeEach
	void prepare() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS payment (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)").update();
		this.sql.sql("TRUNCATE payment").update();
		this.watched.states.clear();
		this.jdbc = new JdbcTemplate(this.watched);
	}

	@Test
	void springFindsTheTransactionCommitted() {
		UUID job = run(this::pay);
		assertPaid(job);
		assertCommittedIn(TransactionState.IDLE);
	}

	@Test
	void savepointsAreCommitted() {
		UUID job = run((context) -> {
			TransactionTemplate nested = new TransactionTemplate(this.node.transactionManager());
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			nested.executeWithoutResult((status) -> pay(context));
			return JobResult.success();
		});
		assertPaid(job);
		assertCommittedIn(TransactionState.IDLE);
	}

	@Test
	void settingsEndWithTheTransaction() {
		String before = this.jdbc.queryForObject(OF_THE_SESSION, String.class);
		assertPaid(run(this::pay));
		await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		assertThat(this.jdbc.queryForObject(OF_THE_SESSION, String.class)).isEqualTo(before);
	}

	/**
	 * What it writes there is part of the transaction.
	 */
	@Test
	void callbackBeforeTheCompletionIsInTheTransaction() {
		UUID job = run((context) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCompletion() {
					pay(context);
				}

			});
			return JobResult.success();
		});
		assertPaid(job);
		assertCommittedIn(TransactionState.OPEN);
	}

	@Test
	void listenerOfTheManagerIsCalledBeforeTheCommit() {
		this.node = node(settings(this.watched).bean(Handlers.of(Delivery.TRANSACTIONAL, this::pay)));
		((JdbcTransactionManager) this.node.transactionManager()).addListener(new TransactionExecutionListener() {
		});
		assertPaid(start());
		assertCommittedIn(TransactionState.OPEN);
	}

	@Test
	void constraintThatFailsAtTheCommitIsAFailedAttempt() {
		UUID job = run((context) -> {
			if (context.attempt() == 1) {
				this.jdbc.update("INSERT INTO payment VALUES (1), (1)");
			}
			return pay(context);
		});
		assertPaid(job);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
		assertThat(column("history->0->>'error'", job, String.class)).contains("payment_id_key");
	}

	/**
	 * Spring does not roll back for such an exception, and commits when it restores the
	 * auto-commit mode of the connection.
	 */
	@Test
	void callbackThatFailsToJoinATransactionIsAFailedAttempt() {
		UUID job = run((context) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					if (context.attempt() == 1) {
						throw new IllegalTransactionStateException("callback");
					}
				}

			});
			return pay(context);
		});
		assertPaid(job);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
	}

	static final List<Arguments> DRIVERS = Stream
		.<Consumer<PGSimpleDataSource>>of((driver) -> driver.setPrepareThreshold(0),
				(driver) -> driver.setPreferQueryMode(PreferQueryMode.SIMPLE),
				(driver) -> driver.setAutosave(AutoSave.ALWAYS), (driver) -> driver.setDefaultRowFetchSize(1))
		.map(Arguments::of)
		.toList();

	/**
	 * The first attempt loses its claim.
	 */
	@ParameterizedTest
	@FieldSource("DRIVERS")
	void lostClaimIsNotCommittedWhateverTheDriverIsSetTo(Consumer<PGSimpleDataSource> settings) {
		PGSimpleDataSource driver = (PGSimpleDataSource) this.database.dataSource();
		settings.accept(driver);
		WatchedCommits own = new WatchedCommits(closeLater(TestPool.of(driver, 5)));
		this.jdbc = new JdbcTemplate(own);
		UUID job = run((context) -> {
			if (context.attempt() == 1) {
				CompletableFuture.runAsync(this::loseClaim).join();
			}
			return pay(context);
		}, own);
		assertPaid(job);
		await().untilAsserted(() -> assertThat(own.states).containsExactly(TransactionState.IDLE));
	}

	/**
	 * On the thread of the handler, Spring would register a callback for its connection.
	 */
	private void loseClaim() {
		this.sql.sql("UPDATE jobqueue_job SET locked_by = NULL, claim = NULL, lease_until = NULL").update();
	}

	/**
	 * The job may have succeeded before Spring commits.
	 */
	private void assertCommittedIn(TransactionState state) {
		await().untilAsserted(() -> assertThat(this.watched.states).containsExactly(state));
	}

	private JobResult pay(JobContext job) {
		this.jdbc.update("INSERT INTO payment VALUES (?)", job.attempt());
		this.node.queue().enqueue("receipts", new Mail("paid"));
		return JobResult.success();
	}

	private void assertPaid(UUID job) {
		awaitState(job, "SUCCEEDED");
		assertThat(count("payment")).isOne();
		assertThat(count("jobqueue_job WHERE queue = 'receipts'")).isOne();
	}

	private UUID run(Behaviour behaviour) {
		return run(behaviour, this.watched);
	}

	private UUID run(Behaviour behaviour, DataSource dataSource) {
		this.node = node(settings(dataSource).bean(Handlers.of(Delivery.TRANSACTIONAL, behaviour)));
		return start();
	}

	private UUID start() {
		this.node.start();
		return producer().queue().enqueue("emails", new Mail("hi")).id();
	}

	/**
	 * Notes the state of each transaction that Spring commits.
	 */
	private static final class WatchedCommits extends DelegatingDataSource {

		private final List<TransactionState> states = new CopyOnWriteArrayList<>();

		private WatchedCommits(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection target = super.getConnection();
			return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("commit")) {
							this.states.add(target.unwrap(BaseConnection.class).getTransactionState());
						}
						try {
							return method.invoke(target, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					});
		}

	}

}
