package io.jobqueue.internal.dashboard.batches;

import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The pages of batches.
 */
class BatchPagesTests extends DashboardTestBase {

	/**
	 * The list is read once in two seconds for all of its pages.
	 */
	private String awaitList(String text) {
		await().untilAsserted(() -> assertThat(page("/batches")).contains(text));
		return page("/batches");
	}

	private static JobRequest mail() {
		return JobRequest.of("emails", Map.of("to", "Ada")).type("mail");
	}

	private static UUID start(String name, int members) {
		Batch batch = DashboardApplication.bean(JobQueue.class).batch(name).then(mail()).onFailure(mail()).start();
		batch.add(Collections.nCopies(members, mail()));
		return batch.id();
	}

	private String page(String path) {
		HttpResponse<String> page = get(path);
		assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
		return page.body();
	}

	private void end(UUID batch, int succeeded, int dead, int cancelled) {
		this.sql.sql("UPDATE jobqueue_batch_tally SET succeeded = ?, dead = ?, cancelled = ? WHERE batch_id = ?")
			.params(succeeded, dead, cancelled, batch)
			.update();
	}

	@Test
	void batchesAreListed() {
		awaitList("There are no batches.");
		UUID open = start("import", 1_000);
		end(open, 300, 2, 98);
		UUID finished = start("export", 1);
		this.sql.sql(
				"UPDATE jobqueue_batch SET sealed_at = now(), finished_at = now(), total = 1, succeeded = 1 WHERE id = ?")
			.param(finished)
			.update();
		String page = awaitList("Finished last");
		assertThat(page).contains("/batches/" + open, "import", "400 of 1,000 ended, 40 %", "state-warn\">open<",
				"<rect class=\"bar-good\" x=\"0\" y=\"0\" height=\"10\" width=\"300\">",
				"x=\"300\" y=\"0\" height=\"10\" width=\"98\">", "x=\"398\" y=\"0\" height=\"10\" width=\"15\">",
				"Finished last", "1 of 1 ended, 100 %", "state-good\">finished<");
		assertThat(page.indexOf("import")).isLessThan(page.indexOf("export"));
		assertThat(page).doesNotContain("Next page");
		for (int number = 0; number < 50; number++) {
			start("b", 0);
		}
		String next = awaitList("Next page");
		assertThat(next).contains("Next page", "no members").doesNotContain("import");
		String after = next.replaceAll("(?s).*after=([0-9a-f-]+).*", "$1");
		assertThat(page("/batches?after=" + after)).contains("import", "First page").doesNotContain("Finished last");
	}

	@Test
	void batchIsShownWithItsCallbacks() {
		UUID batch = start("import", 3);
		String page = page("/batches/" + batch);
		assertThat(page).contains("import", "0 of 3 ended, 0 %", "accepts members until it is sealed",
				"runs if all members have succeeded", "runs if a member has failed", "state-blocked", "not yet");
		UUID other = start("export", 2);
		this.sql.sql("UPDATE jobqueue_batch SET sealed_at = now() WHERE id = ?").param(other).update();
		this.sql.sql("DELETE FROM jobqueue_job WHERE admission = 'PREDECESSORS'").update();
		assertThat(page("/batches/" + other)).contains("state-running\">sealed<", "no longer in the archive")
			.doesNotContain("accepts members");
	}

	/**
	 * The callback that is not needed never ran.
	 */
	@Test
	void callbackThatIsNotNeededIsNamed() {
		UUID batch = start("import", 2);
		this.sql.sql("DELETE FROM jobqueue_job WHERE admission = 'PREDECESSORS'").update();
		this.sql.sql("UPDATE jobqueue_batch SET finished_at = now(), total = 2, succeeded = 2").update();
		String kept = ":</span>\\s+<code>[-\\w]+</code>\\s+<span class=\"soft\">no longer in the archive";
		String deleted = ":</span>\\s+<code>[-\\w]+</code>\\s+<span class=\"soft\">not needed";
		assertThat(page("/batches/" + batch)).containsPattern("all members have succeeded" + kept)
			.containsPattern("a member has failed" + deleted);
		this.sql.sql("UPDATE jobqueue_batch SET succeeded = 1, cancelled = 1").update();
		assertThat(page("/batches/" + batch)).containsPattern("all members have succeeded" + deleted)
			.containsPattern("a member has failed" + kept);
	}

	@Test
	void numbersLeadToTheMembers() {
		UUID batch = start("import", 3);
		enqueue(mail().group("other"));
		String page = page("/batches/" + batch);
		String dead = "/jobs?batch=%s&amp;state=DEAD".formatted(batch);
		assertThat(page).contains("<h1>Batch import</h1>", "/jobqueue/jobs?batch=%s\">".formatted(batch))
			.doesNotContain(dead);
		end(batch, 0, 2, 0);
		assertThat(page("/batches/" + batch)).contains("<a href=\"/jobqueue%s\">".formatted(dead));
		assertThat(awaitList(batch.toString())).contains("<a href=\"/jobqueue%s\">".formatted(dead));
		assertThat(page(dead.replace("&amp;", "&"))).contains(
				"Members of the batch <a href=\"/jobqueue/batches/%s\">import</a>".formatted(batch),
				"No job meets these conditions");
		String members = page("/jobs?batch=" + batch);
		assertThat(members.split("<th scope=\"row\"")).hasSize(1 + 3);
		assertThat(members).contains("/bulk/cancel?batch=" + batch, "name=\"batch\" value=\"" + batch,
				"<details open>");
		assertThat(page("/jobs?state=SCHEDULED,READY,RUNNING,RETRYING,BLOCKED&batch=" + batch)).contains("state-ready");
		assertThat(page("/jobs?batch=" + new UUID(0, 7))).contains("Members of a batch that is no longer stored");
	}

	@Test
	void unknownBatch() {
		assertThat(get("/batches/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
		assertThat(get("/batches/x").body()).contains("There is no batch with this id");
	}

	@Test
	void textIsShownAsText() {
		UUID batch = start("hostile", 0);
		this.sql.sql("UPDATE jobqueue_batch SET name = ?").param(HOSTILE).update();
		this.sql.sql("UPDATE jobqueue_job SET type = ?").param(HOSTILE).update();
		assertThat(page("/batches/" + batch)).doesNotContain("<script>alert").contains("&lt;script&gt;alert(");
	}

	@Test
	void smallPartsAreVisibleAndNotRoundedUp() {
		Progress progress = Progress.of(new BatchInfo(100_000, 99_998, 1, 0));
		assertThat(progress.dead()).isPositive();
		assertThat(progress.text()).isEqualTo("99,999 of 100,000 ended, 99 %");
	}

}
