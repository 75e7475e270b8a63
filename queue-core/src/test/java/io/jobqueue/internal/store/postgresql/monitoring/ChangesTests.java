package io.jobqueue.internal.store.postgresql.monitoring;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.awaitility.Awaitility.await;

/**
 * The number that shows whether something has changed.
 */
@Tag("pooler") // statements of the store
class ChangesTests extends StoreTestBase {

	private final MonitoringStore store = this.stores.monitoring();

	/**
	 * The database counts what a session has changed at its end at the latest.
	 */
	private final JdbcClient unpooled = JdbcClient.create(this.database.dataSource());

	@Test
	void changesOfJobsCountAndHeartbeatsDoNot() {
		long before = this.store.changes();
		enqueue(job("emails", 10));
		worker();
		this.unpooled.sql("UPDATE jobqueue_job SET priority = 11").update();
		this.unpooled.sql("UPDATE jobqueue_worker SET last_active_at = now()").update();
		await().until(() -> this.store.changes() > before && counted("= 'jobqueue_worker'") > 0);
		await().until(() -> this.store.changes() == counted("<> 'jobqueue_worker'"));
	}

	private long counted(String tables) {
		return this.sql.sql(
				"SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables WHERE relname LIKE 'jobqueue\\_%' AND relname NOT IN ('jobqueue_version', 'jobqueue_schema_history') AND relname "
						+ tables)
			.query(Long.class)
			.single();
	}

}
