package io.jobqueue.harness;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobContext;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * A node in a JVM of its own. It prints which jobs begin and end. A mail whose text is a
 * number waits at its first attempt until the test releases the advisory lock of that
 * number.
 */
public final class NodeMain {

	/**
	 * How long such a node may be silent.
	 */
	public static final Duration TIMEOUT = Duration.ofSeconds(3);

	/**
	 * Several nodes that start at the same time need the processors for that.
	 */
	private static final Duration PAUSE = Duration.ofMillis(5);

	private static final Rate UNLIMITED = new Rate(0, Duration.ZERO);

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
		ChildJvm jvm = launch(database, name, pollInterval, 1);
		jvm.awaitLine("STARTED", Duration.ofMinutes(2));
		return jvm;
	}

	/**
	 * Start a node in another JVM, whose queue is limited over all nodes, without waiting
	 * for it.
	 * @param database the database
	 * @param name the node's name
	 * @param pollInterval how often it polls
	 * @param limits what limits the queue
	 * @return the JVM, which prints {@code STARTED}
	 */
	public static ChildJvm launch(TestDatabase database, String name, Duration pollInterval, ClusterLimits limits) {
		return launch(database, name, pollInterval, limits, 1);
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
		return launch(database, name, pollInterval, ClusterLimits.NONE, slots);
	}

	private static ChildJvm launch(TestDatabase database, String name, Duration pollInterval, ClusterLimits limits,
			int slots) {
		Rate rate = (limits.rate() != null) ? limits.rate() : UNLIMITED;
		int concurrency = (limits.concurrency() != null) ? limits.concurrency() : 0;
		return ChildJvm.start(NodeMain.class,
				Map.of("URL", database.jdbcUrl(), "DIRECT_URL", database.directJdbcUrl(), "USERNAME",
						database.username(), "PASSWORD", database.password()),
				name, pollInterval.toString(), String.valueOf(slots), String.valueOf(concurrency),
				String.valueOf(rate.limit()), rate.period().toString());
	}

	/**
	 * Run a node until this JVM is killed.
	 * @param arguments the node's name, how often it polls, how many jobs of a limit key
	 * all nodes run at a time, how many of the queue, and how many they begin in which
	 * period; 0 is for no limit
	 */
	public static void main(String[] arguments) {
		new NodeMain(TestPool.of(dataSource("URL", arguments[0]), 10), dataSource("DIRECT_URL", arguments[0])).run(
				arguments[0], Duration.parse(arguments[1]), new AdmissionRules(Integer.valueOf(arguments[2]), false),
				limits(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]), Duration.parse(arguments[5])));
	}

	private static ClusterLimits limits(int concurrency, int rate, Duration period) {
		return new ClusterLimits((concurrency > 0) ? concurrency : null, (rate > 0) ? new Rate(rate, period) : null);
	}

	private static DataSource dataSource(String url, String name) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(System.getenv(url));
		dataSource.setUser(System.getenv("USERNAME"));
		dataSource.setPassword(System.getenv("PASSWORD"));
		dataSource.setApplicationName(name);
		return dataSource;
	}

	@SuppressWarnings("resource")
	private void run(String name, Duration pollInterval, AdmissionRules keys, ClusterLimits limits) {
		QueueNode node = new QueueNode(new TestNodeSettings(this.dataSource).name(name)
			.handler(this::handle)
			.pollInterval(pollInterval)
			.keys(keys)
			.timeout(TIMEOUT)
			.limits(limits)
			.listensOn(this.direct)).start();
		while (!node.remoteSignals().isConnected()) {
			LockSupport.parkNanos(PAUSE.toNanos());
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
