package io.jobqueue.recovery;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Delivery;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

/**
 * A node in a JVM of its own, which enqueues a job for each kind of delivery on command,
 * and runs them.
 */
final class CrashingNode {

	static final String APPLICATION_NAME = "crashing";

	static final String ENQUEUE = "enqueue";

	static final String OPEN = "open";

	static final String ENQUEUED = "ENQUEUED";

	static final String REFUSED = "REFUSED";

	static final String HOLD_AT = "hold at ";

	private static final Duration TIMEOUT = Duration.ofMillis(1_500);

	private final Breakpoint breakpoint = new Breakpoint();

	private final Ledger ledger;

	private final QueueNode node;

	private CrashingNode(DataSource plain) {
		DataSource pool = pool(plain);
		this.ledger = new Ledger(pool);
		this.node = new QueueNode(new TestNodeSettings(pool).name("node")
			.jobStore((jobs) -> new BreakpointJobStore(jobs, this.breakpoint))
			.bean(new CrashHandlers(this.breakpoint, this.ledger, new Ledger(plain)))
			.timeout(TIMEOUT)
			.reaperInterval(TIMEOUT.dividedBy(5))
			.listensOn(plain));
	}

	public static void main(String[] arguments) throws IOException {
		PGSimpleDataSource plain = new PGSimpleDataSource();
		plain.setUrl(arguments[0]);
		plain.setApplicationName(APPLICATION_NAME);
		new CrashingNode(plain).obey();
	}

	private static DataSource pool(DataSource plain) {
		HikariConfig config = new HikariConfig();
		config.setDataSource(plain);
		config.setConnectionTimeout(5_000);
		config.setInitializationFailTimeout(-1);
		return new HikariDataSource(config);
	}

	private void obey() throws IOException {
		this.node.start();
		try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String order = orders.readLine(); order != null; order = orders.readLine()) {
				obey(order);
			}
		}
	}

	private void obey(String order) {
		if (order.equals(OPEN)) {
			this.breakpoint.open();
		}
		else if (order.startsWith(HOLD_AT)) {
			this.breakpoint.holdAt(CrashPoint.valueOf(order.substring(HOLD_AT.length())));
		}
		else {
			Breakpoint.Hold hold = this.breakpoint.hold();
			new Thread(() -> enqueue(order, hold)).start();
		}
	}

	private void enqueue(String order, Breakpoint.Hold hold) {
		try {
			this.node.transaction().executeWithoutResult((status) -> {
				TransactionSynchronizationManager.registerSynchronization(new AfterCommit(hold));
				order(new CrashHandlers.Often(1), Delivery.AT_LEAST_ONCE);
				order(new CrashHandlers.Exactly(1), Delivery.TRANSACTIONAL);
				order(new CrashHandlers.Once(1), Delivery.AT_MOST_ONCE);
				hold.pass(CrashPoint.INSERTED);
			});
			System.out.println(ENQUEUED + order);
		}
		catch (RuntimeException ex) {
			System.out.println(REFUSED + order + " " + ex);
		}
	}

	private void order(Object payload, Delivery delivery) {
		this.ledger.order(this.node.queue().enqueue(CrashHandlers.QUEUE, payload).id(), delivery);
	}

	/**
	 * Called before the queue's own callbacks of the commit.
	 */
	private record AfterCommit(Breakpoint.Hold hold) implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void afterCommit() {
			this.hold.pass(CrashPoint.COMMITTED);
		}

	}

}
