package io.jobqueue.recovery;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.SubscriptionStore.Declaration;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * A publisher or a subscriber in a JVM of its own.
 */
final class TopicNode {

	static final String APPLICATION_NAME = "topic";

	/**
	 * Nodes declare their subscriptions, or commit what they have published, once this
	 * lock is free.
	 */
	static final int BARRIER = 50;

	static final int SUBSCRIPTIONS = 2_000;

	private TopicNode() {
	}

	static ChildJvm start(TestDatabase database, Work work) {
		return ChildJvm.start(TopicNode.class, Map.of("URL", database.directJdbcUrl(), "USERNAME", database.username(),
				"PASSWORD", database.password()), work.name());
	}

	public static void main(String[] arguments) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(System.getenv("URL"));
		dataSource.setUser(System.getenv("USERNAME"));
		dataSource.setPassword(System.getenv("PASSWORD"));
		dataSource.setApplicationName(APPLICATION_NAME);
		switch (Work.valueOf(arguments[0])) {
			case PUBLISH -> publish(dataSource);
			case DECLARE -> declare(dataSource, false);
			case DECLARE_REVERSED -> declare(dataSource, true);
		}
	}

	private static void publish(DataSource dataSource) {
		try (QueueNode node = new QueueNode(new TestNodeSettings(dataSource))) {
			node.transaction().executeWithoutResult((status) -> {
				node.queue().publish("news", new Mail("hi"));
				awaitBarrier(dataSource);
			});
		}
	}

	private static void declare(DataSource dataSource, boolean reversed) {
		List<Declaration> declarations = new ArrayList<>(IntStream.range(0, SUBSCRIPTIONS)
			.mapToObj((n) -> new Declaration("news", "subscriber-" + n, Set.of(), "queue", Set.of("mail")))
			.toList());
		if (reversed) {
			Collections.reverse(declarations);
		}
		try (PostgresStores stores = PostgresStores.of(dataSource, null, null)) {
			awaitBarrier(dataSource);
			stores.subscriptions().declare(declarations);
			stores.subscriptions().renew(declarations);
		}
	}

	private static void awaitBarrier(DataSource dataSource) {
		new JdbcTemplate(dataSource).execute("SELECT pg_advisory_lock_shared(%d)".formatted(BARRIER));
	}

	/**
	 * What a node does.
	 */
	enum Work {

		PUBLISH, DECLARE, DECLARE_REVERSED

	}

}
