package io.jobqueue.internal.dashboard.batches;

import java.util.Collections;
import java.util.Map;
import java.util.UUID;

import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.Batch;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.browser.BrowserTestBase;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

/**
 * The pages of batches in a browser.
 */
@Tag("slow") // needs a browser
class BatchBrowserTests extends BrowserTestBase {

	private static JobRequest mail() {
		return JobRequest.of("emails", Map.of("to", "Ada")).type("mail");
	}

	private UUID start(String name, int members, int succeeded, int dead, int cancelled) {
		Batch batch = DashboardApplication.bean(JobQueue.class).batch(name).then(mail()).onFailure(mail()).start();
		batch.add(Collections.nCopies(members, mail()));
		this.sql.sql("UPDATE jobqueue_batch_tally SET succeeded = ?, dead = ?, cancelled = ? WHERE batch_id = ?")
			.params(succeeded, dead, cancelled, batch.id())
			.update();
		return batch.id();
	}

	private void change(UUID batch, String change) {
		this.sql.sql("UPDATE jobqueue_batch SET %s WHERE id = ?".formatted(change)).param(batch).update();
	}

	@Test
	void pagesAreAccessible() {
		change(start("newsletter", 1, 0, 0, 0),
				"sealed_at = now(), finished_at = now(), total = 4000, succeeded = 4000");
		change(start("import", 1, 0, 0, 0),
				"sealed_at = now(), finished_at = now(), total = 12500, succeeded = 12411, dead = 89");
		UUID batch = start("invoices of November", 1_000, 611, 8, 40);
		change(batch, "sealed_at = now()");
		start("uploads", 12, 3, 0, 0);
		Page page = open("/batches");
		page.waitForCondition(() -> {
			page.reload();
			return page.content().contains("invoices");
		});
		assertAccessible("/batches", "batches");
		assertAccessible("/batches/" + batch, "batch");
		assertThat(page.getByText("659 of 1,000 ended")).isVisible();
	}

}
