package io.jobqueue.harness;

import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobContext;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.KeyRules;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * A node in a JVM of its own. It tells which jobs begin and end. A mail whose text is a
 * number waits at its first attempt until the test lets go of the advisory lock of that
 * number.
 */
public final class NodeMain {

	/**
	 * How long such a node may be silent.
	 */
	public static final Duration TIMEOUT = Duration.ofSeconds(3);

	private final DataSource dataSource;

	/**
	 * For what needs a session: to listen, and to wait for a lock that outlasts the
	 * statement.
	 */
	private final DataSource direct;

	private NodeMain(DataSource dataSource, DataSource direct) {
		this.dataSource = dataSource;
		this.direct = direct;
	}

	/**
	 * Start a node in another JVM.
	 * @param database the database
	 * @param name the node's name
	 * @param pollInterval how often it polls
	 * @return the JVM, in which the node's worker has started
	 */
	public static ChildJvm start(TestDatabase database, String name, Duration pollInterval) {
		return start(database, name, pollInterval, 0);
	}

	/**
	 * Start a node in another JVM, whose queue is limited over all nodes.
	 * @param database the database
	 * @param name the node's name
	 * @param pollInterval how often it polls
	 * @param clusterConcurrency how many jobs all nodes run at a time, 0 for no limit
	 * @return the JVM, in which the node's worker has started
	 */
	public static ChildJvm start(TestDatabase database, String name, Duration pollInterval, int clusterConcurrency) {
		ChildJvm jvm = launch(database, name, pollInterval, clusterConcurrency, 1);
		jvm.awaitLine("STARTED", Duration.ofSeconds(30));
		return jvm;
	}

	/**
	 * Start a node in another JVM, without waiting for it.
	 * @param database the database
	 * @param name the node's name
	 * @param pollInterval how often it polls
	 * @param slots how many jobs of a limit key it runs at a time
	 * @return the JVM, which prints {@code STARTED}
	 */
	public static ChildJvm launch(TestDatabase database, String name, Duration pollInterval, int slots) {
		return launch(database, name, pollInterval, 0, slots);
	}

	private static ChildJvm launch(TestDatabase database, String name, Duration pollInterval, int clusterConcurrency,
			int slots) {
		return ChildJvm.start(NodeMain.class,
				Map.of("URL", database.jdbcUrl(), "DIRECT_URL", database.directJdbcUrl(), "USERNAME",
						database.username(), "PASSWORD", database.password()),
				name, pollInterval.toString(), String.valueOf(clusterConcurrency), String.valueOf(slots));
	}

	/**
	 * Run a node until this JVM is killed.
	 * @param arguments the node's name, how often it polls, how many jobs all nodes run
	 * at a time, and how many of a limit key
	 */
	public static void main(String[] arguments) {
		new NodeMain(dataSource("URL"), dataSource("DIRECT_URL")).run(arguments[0], Duration.parse(arguments[1]),
				Integer.parseInt(arguments[2]), new KeyRules(Integer.valueOf(arguments[3]), false));
	}

	private static DataSource dataSource(String url) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(System.getenv(url));
		dataSource.setUser(System.getenv("USERNAME"));
		dataSource.setPassword(System.getenv("PASSWORD"));
		return dataSource;
	}

	@SuppressWarnings("resource")
	private void run(String name, Duration pollInterval, int clusterConcurrency, KeyRules keys) {
		QueueNode node = new QueueNode(new NodeSettings(this.dataSource).name(name)
			.handler(this::handle)
			.pollInterval(pollInterval)
			.keys(keys)
			.timeout(TIMEOUT)
			.limits((clusterConcurrency > 0) ? new ClusterLimits(clusterConcurrency, null) : ClusterLimits.NONE)
			.listensOn(this.direct)).start();
		while (!node.remoteSignals().isHearing()) {
			Thread.onSpinWait();
		}
		System.out.println("STARTED");
	}

	private void handle(Mail mail, JobContext job) {
		System.out.println("BEGIN " + job.id());
		if (mail.text().matches("\\d+") && job.attempt() == 1) {
			new JdbcTemplate(this.direct).execute("SELECT pg_advisory_lock(%s)".formatted(mail.text()));
		}
		System.out.println("END " + job.id());
	}

}
