package io.jobqueue.internal.store.postgresql;

import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.core.InfrastructureProxy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.JobQueueException;
import io.jobqueue.internal.signal.SignalChannel;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.BoundTransactions;
import io.jobqueue.internal.store.DatabaseEncoding;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.OperatorLogStore;
import io.jobqueue.internal.store.PauseStore;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SourceStore;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.SubscriptionStore;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.WorkflowSearchStore;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresBatchStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresDependencyStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresJobStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresMaintenanceStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresObstacleStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresOperationStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresPauseStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresSourceStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresWorkerStore;
import io.jobqueue.internal.store.postgresql.monitoring.PostgresMonitoringStore;
import io.jobqueue.internal.store.postgresql.monitoring.PostgresStatisticsStore;
import io.jobqueue.internal.store.postgresql.monitoring.PostgresOverviewStore;
import io.jobqueue.internal.store.postgresql.recurring.PostgresRecurringStore;
import io.jobqueue.internal.store.postgresql.schema.DatabaseCheck;
import io.jobqueue.internal.store.postgresql.search.PostgresOperatorLogStore;
import io.jobqueue.internal.store.postgresql.search.PostgresRelationStore;
import io.jobqueue.internal.store.postgresql.search.PostgresSearchStore;
import io.jobqueue.internal.store.postgresql.signal.PostgresSignals;
import io.jobqueue.internal.store.postgresql.topic.PostgresSubscriptionStore;
import io.jobqueue.internal.store.postgresql.transaction.DedicatedConnection;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.Schema;
import io.jobqueue.internal.store.postgresql.workflow.PostgresWorkflowSearchStore;
import io.jobqueue.internal.store.postgresql.workflow.PostgresWorkflowStore;

/**
 * Creates the stores of one PostgreSQL database, which share a connection outside the
 * pool.
 */
public final class PostgresStores implements AutoCloseable {

	private final DataSource dataSource;

	private final @Nullable DataSource unpooled;

	private final Schema schema;

	private final DatabaseEncoding encoding;

	private final BoundTransactions bound;

	private final JdbcTemplate callers;

	private final QueueTransaction transactions;

	private final DedicatedConnection side;

	private PostgresStores(DataSource dataSource, @Nullable DataSource unpooled, Schema schema,
			DatabaseEncoding encoding) {
		this.dataSource = dataSource;
		this.unpooled = unpooled;
		this.schema = schema;
		this.encoding = encoding;
		this.bound = new BoundTransactions(dataSource);
		this.callers = new JdbcTemplate(new JoinedDataSource(dataSource, this.bound));
		this.transactions = new QueueTransaction(dataSource, schema);
		this.side = new DedicatedConnection(unpooled, dataSource);
	}

	/**
	 * Open the stores of a database.
	 * @param dataSource the application's data source
	 * @param unpooled opens connections outside the pool, {@code null} if there is none
	 * @param schema the schema of the tables, {@code null} for the schemas in the
	 * connection's {@code search_path}
	 * @return the stores
	 * @throws JobQueueException if the database is not supported or cannot be reached
	 */
	public static PostgresStores of(DataSource dataSource, @Nullable DataSource unpooled, @Nullable String schema) {
		DatabaseEncoding encoding = DatabaseCheck.check(dataSource);
		return new PostgresStores(dataSource, unpooled, new Schema(schema), encoding);
	}

	/**
	 * Return stores of the same tables for tests.
	 * @param data returns the data source of the tests for that of the application
	 * @param statements rewrites every statement on the tables
	 * @return the stores
	 */
	public PostgresStores forTests(UnaryOperator<DataSource> data, UnaryOperator<String> statements) {
		return new PostgresStores(data.apply(this.dataSource), this.unpooled,
				new Schema(this.schema.name(), statements), this.encoding);
	}

	/**
	 * Return the data source of the tables.
	 * @return the data source
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Return the transactions that jobs are enqueued and completed in.
	 * @return the transactions
	 */
	public BoundTransactions transactions() {
		return this.bound;
	}

	/**
	 * Return the schema of the tables.
	 * @return the schema
	 */
	public Schema schema() {
		return this.schema;
	}

	/**
	 * Return the encoding of the database.
	 * @return the encoding
	 */
	public DatabaseEncoding encoding() {
		return this.encoding;
	}

	/**
	 * Create the store that enqueues, claims and completes jobs.
	 * @return the store
	 */
	public JobStore jobs() {
		return new PostgresJobStore(this.callers, this.transactions);
	}

	/**
	 * Create the store of jobs of sources outside the database.
	 * @return the store
	 */
	public SourceStore sources() {
		return new PostgresSourceStore(this.callers, this.transactions);
	}

	/**
	 * Create the store of workers and heartbeats.
	 * @return the store
	 */
	public WorkerStore workers() {
		return new PostgresWorkerStore(this.side, this.schema);
	}

	/**
	 * Create the store that finds and counts jobs.
	 * @return the store
	 */
	public SearchStore search() {
		return new PostgresSearchStore(this.transactions);
	}

	/**
	 * Create the store that changes jobs on request of an operator.
	 * @return the store
	 */
	public OperationStore operations() {
		return new PostgresOperationStore(this.transactions);
	}

	/**
	 * Create the store that reads why jobs do not run.
	 * @return the store
	 */
	public ObstacleStore obstacles() {
		return new PostgresObstacleStore(this.transactions);
	}

	/**
	 * Create the store that reads which jobs have to do with each other.
	 * @return the store
	 */
	public RelationStore relations() {
		return new PostgresRelationStore(this.transactions);
	}

	/**
	 * Create the store that releases jobs that wait for predecessors.
	 * @return the store
	 */
	public DependencyStore dependencies() {
		return new PostgresDependencyStore(this.transactions);
	}

	/**
	 * Create the store of batches.
	 * @return the store
	 */
	public BatchStore batches() {
		return new PostgresBatchStore(this.callers, this.schema);
	}

	/**
	 * Create the store of what operators did.
	 * @return the store
	 */
	public OperatorLogStore operatorLog() {
		return new PostgresOperatorLogStore(this.transactions);
	}

	/**
	 * Create the store of pauses.
	 * @return the store
	 */
	public PauseStore pauses() {
		return new PostgresPauseStore(this.transactions);
	}

	/**
	 * Create the store of recurring jobs.
	 * @return the store
	 */
	public RecurringStore recurring() {
		return new PostgresRecurringStore(this.callers, this.transactions);
	}

	/**
	 * Create the store of subscriptions to topics.
	 * @return the store
	 */
	public SubscriptionStore subscriptions() {
		return new PostgresSubscriptionStore(this.callers, this.transactions);
	}

	/**
	 * Create the store of workflows.
	 * @return the store
	 */
	public WorkflowStore workflows() {
		return new PostgresWorkflowStore(this.callers, this.transactions,
				new PostgresOperationStore(this.transactions));
	}

	/**
	 * Create the store that finds and counts instances of workflows.
	 * @return the store
	 */
	public WorkflowSearchStore workflowSearch() {
		return new PostgresWorkflowSearchStore(this.transactions);
	}

	/**
	 * Create the store of periodic maintenance.
	 * @return the store
	 */
	public MaintenanceStore maintenance() {
		return new PostgresMaintenanceStore(this.transactions);
	}

	/**
	 * Return the store of gauges, health and alerts.
	 * @return the store
	 */
	public MonitoringStore monitoring() {
		return new PostgresMonitoringStore(this.transactions);
	}

	/**
	 * Create a store of gauges for people, to whom a job in a new queue must not be
	 * invisible for a minute: unlike those of {@link #monitoring()}, its scans are
	 * complete unless the last one took longer than a tenth of a second.
	 * @return the store
	 */
	public MonitoringStore completeMonitoring() {
		return new PostgresMonitoringStore(this.transactions, PostgresMonitoringStore.COSTLY_FOR_PEOPLE);
	}

	/**
	 * Create the store of statistics.
	 * @return the store
	 */
	public StatisticsStore statistics() {
		return new PostgresStatisticsStore(this.side, this.transactions);
	}

	/**
	 * Create the store of workers and arrivals, for people.
	 * @return the store
	 */
	public OverviewStore overview() {
		return new PostgresOverviewStore(this.transactions);
	}

	/**
	 * Create the channel for signals to other nodes.
	 * @return the channel
	 */
	public SignalChannel signals() {
		return new PostgresSignals(this.side, this.unpooled, this.schema);
	}

	@Override
	public void close() {
		this.side.close();
	}

	/**
	 * Makes statements join the transaction of their caller on the connection on which it
	 * began, even if the target of the data source was replaced since.
	 */
	private static final class JoinedDataSource extends DelegatingDataSource implements InfrastructureProxy {

		private final BoundTransactions transactions;

		JoinedDataSource(DataSource dataSource, BoundTransactions transactions) {
			super(dataSource);
			this.transactions = transactions;
		}

		@Override
		public Object getWrappedObject() {
			return this.transactions.key();
		}

	}

	/**
	 * Replaces the stores of an application, in tests.
	 */
	@FunctionalInterface
	public interface Customizer {

		/**
		 * Return the stores to use.
		 * @param stores the stores of the application
		 * @return the stores of the tests
		 */
		PostgresStores customize(PostgresStores stores);

	}

}
