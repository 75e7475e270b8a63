package io.jobqueue.internal.worker;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Another transaction keeps a running job locked.
 */
@Tag("pooler") // transactions of workers
class LockedJobTests extends NodeTestBase {

	private static final TransactionDefinition REQUIRES_NEW = new DefaultTransactionDefinition(
			TransactionDefinition.PROPAGATION_REQUIRES_NEW);

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void outcomeOfALockedJobDelaysNoOther() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
			if (mail.text().equals("locked")) {
				this.begun.countDown();
				this.release.await();
			}
		}));
		UUID locked = node.queue().enqueue(new Mail("locked")).id();
		TransactionTemplate blocker = new TransactionTemplate(new JdbcTransactionManager(this.pool));
		blocker.executeWithoutResult((status) -> {
			await().until(() -> this.begun.getCount() == 0);
			new JdbcTemplate(this.pool).queryForList("SELECT 1 FROM jobqueue_job WHERE id = ? FOR UPDATE", locked);
			this.release.countDown();
			await().until(this::statementWaits);
			awaitState(new TransactionTemplate(node.transactionManager(), REQUIRES_NEW)
				.execute((inner) -> node.queue().enqueue(new Mail("free")).id()), "SUCCEEDED");
			assertThat(state(locked)).isEqualTo("RUNNING");
		});
		awaitState(locked, "SUCCEEDED");
	}

	private boolean statementWaits() {
		return this.sql.sql("SELECT count(*) FROM pg_locks WHERE NOT granted").query(Integer.class).single() > 0;
	}

}
