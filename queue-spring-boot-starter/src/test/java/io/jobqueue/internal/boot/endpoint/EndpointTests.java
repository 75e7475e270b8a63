package io.jobqueue.internal.boot.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.Batch;
import io.jobqueue.JobInfo;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Priority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What scripts may do where everything is allowed, and shown.
 */
class EndpointTests extends EndpointTestBase {

	EndpointTests() {
		super("management.endpoint.jobqueue.access=unrestricted", "management.endpoint.jobqueue.show-values=always");
	}

	private JobInfo job(UUID id) {
		return operations().find(id).orElseThrow();
	}

	@Test
	void overviewCountsJobsAndNamesPauses() {
		enqueue("one");
		enqueueFailed("two");
		operations().pause("emails", "Mail");
		Answer all = get("");
		assertThat(all.status()).isEqualTo(200);
		assertThat(all.part("jobs")).isEqualTo(Map.of("READY", 1, "RETRYING", 1));
		assertThat(all.part("queues")).containsOnlyKeys("emails");
		assertThat(all.rows("pauses")).singleElement().extracting("type").isEqualTo("Mail");
		Answer queue = get("/queues/emails");
		assertThat(queue.part("jobs")).isEqualTo(all.part("jobs"));
		assertThat(queue.rows("pauses")).hasSize(1);
		assertThat(get("/queues/faxes").rows("pauses")).isEmpty();
	}

	@Test
	void jobsAreListedPageByPage() {
		enqueueFailed("one");
		List.of("two", "three", "four").forEach(this::enqueue);
		Answer first = get("/jobs?queue=emails&state=ready&limit=2");
		assertThat(first.rows("jobs")).hasSize(2).allSatisfy((job) -> assertThat(job).containsEntry("state", "READY"));
		Answer second = get("/jobs?queue=emails&state=ready&limit=2&after=" + first.json().get("next"));
		assertThat(second.rows("jobs")).hasSize(1);
		assertThat(second.json()).containsEntry("partial", false).doesNotContainKey("next");
	}

	@Test
	void everyConditionNarrowsAPage() {
		UUID job = enqueue(JobRequest.of("emails", new Mail("")).key("a/b").group("g").delay(Duration.ofHours(1)));
		enqueue("other");
		List.of("key=a/b", "group=g", "state=SCHEDULED,RUNNING", "state=READY,%20RUNNING,%20scheduled&key=a/b",
				"type=Mail&state=SCHEDULED", "key=a%2Fb&queue=emails", "key=a/b&enqueuedFrom=2020-01-01T00:00:00Z",
				"key=a/b&enqueuedBefore=2100-01-01T00:00:00Z")
			.forEach((condition) -> assertThat(get("/jobs?" + condition).rows("jobs")).singleElement()
				.extracting("id")
				.isEqualTo(job.toString()));
		List.of("queue=faxes", "type=Fax", "error=x", "enqueuedFrom=2100-01-01T00:00:00Z",
				"enqueuedBefore=2020-01-01T00:00:00Z", "finishedFrom=2020-01-01T00:00:00Z",
				"finishedBefore=2100-01-01T00:00:00Z", "fromPosition=1000000")
			.forEach((condition) -> assertThat(get("/jobs?" + condition).rows("jobs")).as(condition).isEmpty());
	}

	@Test
	void jobThatWaitsForAFailedOneIsShownAndReleased() {
		UUID first = enqueue("first");
		UUID second = enqueue(JobRequest.of("emails", new Mail("second")).after(first));
		post("/jobs/" + first + "/cancel", "{}");
		await().untilAsserted(() -> assertThat(get("/jobs/" + second).json()).containsEntry("state", "BLOCKED")
			.containsEntry("failedPredecessors", List.of(first.toString())));
		assertThat(post("/jobs/" + second + "/release", "{}").json()).containsEntry("affected", 1);
		assertThat(get("/jobs/" + second).json()).containsEntry("state", "READY")
			.doesNotContainKey("failedPredecessors");
	}

	@Test
	void reasonsAreStored() {
		UUID job = enqueue("one");
		String reason = "{\"reason\": \"not needed\"}";
		assertThat(post("/queues/emails/pause", reason).status()).isEqualTo(200);
		assertThat(post("/queues/emails/resume", "{}").status()).isEqualTo(200);
		assertThat(post("/jobs/" + job + "/cancel", reason).status()).isEqualTo(200);
		assertThat(post("/bulk/delete", "{\"reason\": \"not needed\", \"queue\": \"emails\"}").status()).isEqualTo(200);
		assertThat(post("/queues/emails/job/cancel", "{\"reason\": \"not needed\", \"key\": \"k\"}").status())
			.isEqualTo(404);
		assertThat(post("/recurring/none/pause", reason).status()).isEqualTo(404);
		assertThat(
				this.sql.sql("SELECT operation || ' ' || coalesce(reason, '-') FROM jobqueue_operator_log ORDER BY at")
					.query(String.class)
					.list())
			.containsExactly("pause not needed", "resume -", "cancel not needed", "delete not needed");
		Answer refused = post("/queues/emails/pause", "{\"reason\": \"%s\"}".formatted("x".repeat(501)));
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text()).contains("'reason' must have at most 500 characters, but has 501");
	}

	@Test
	void subscriptionsAreListedAndEnded() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
					SELECT timestamptz '2026-11-21T12:00:00Z', 'orders', 'Mail', 'billing', 'invoices', '{kind=retail,region=eu}'::text[]
					UNION ALL SELECT now(), 'news', 'Mail', 's' || n, 's' || n, '{}' FROM generate_series(1, 1000) AS n
					""")
			.update();
		assertThat(get("/topics/orders").json()).isEqualTo(Map.of("partial", false, "subscriptions",
				List.of(Map.of("topic", "orders", "subscriber", "billing", "type", "Mail", "queue", "invoices",
						"filter", Map.of("region", "eu", "kind", "retail"), "lastDeclaredAt",
						"2026-11-21T12:00:00Z"))));
		assertThat(get("/topics/none").rows("subscriptions")).isEmpty();
		assertThat(get("/topics").rows("subscriptions")).hasSize(1_000);
		assertThat(get("/topics").json()).containsEntry("partial", true);
		assertThat(get("/topics?x=1").status()).isEqualTo(400);
		String billing = "{\"subscriber\": \"billing\", \"reason\": \"sold\"}";
		assertThat(post("/topics/orders/unsubscribe", "{}").status()).isEqualTo(400);
		assertThat(post("/topics/orders/delete", billing).status()).isEqualTo(400);
		assertThat(post("/topics/orders/unsubscribe", billing).json())
			.isEqualTo(Map.of("operation", "unsubscribe", "topic", "orders", "subscriber", "billing"));
		assertThat(operations().subscriptions()).hasSize(1_000).extracting("topic").containsOnly("news");
		assertThat(this.sql.sql("SELECT operation || ' ' || subject || ' ' || reason FROM jobqueue_operator_log")
			.query(String.class)
			.list()).containsExactly("unsubscribe subscription orders/billing sold");
		Answer unknown = post("/topics/orders/unsubscribe", billing);
		assertThat(unknown.status()).isEqualTo(404);
		assertThat(unknown.text()).contains("Topic 'orders' has no subscription of 'billing'");
	}

	@Test
	void workflowsAreListedDrawnAndChanged() {
		assertThat(get("/workflows").rows("workflows")).hasSize(1);
		String drawing = "flowchart LR\n    s0[\"pay\"]\n    s1[\"ship\"]\n    s0 -->|in-stock| s1\n";
		assertThat(get("/workflows/fulfilment").json())
			.isEqualTo(Map.of("name", "fulfilment", "input", "java.lang.String", "steps",
					List.of(Map.of("name", "pay", "conditions", List.of()),
							Map.of("name", "ship", "conditions", List.of("after(pay).on(in-stock)"))),
					"mermaid", drawing, "instances", List.of()));
		UUID first = workflows().start("fulfilment", "one").id();
		UUID second = workflows().start("fulfilment", "two").id();
		assertThat(get("/workflows/fulfilment?limit=1").rows("instances")).extracting("id")
			.containsExactly(second.toString());
		assertThat(get("/workflows/fulfilment?state=running&after=" + second).rows("instances")).extracting("id")
			.containsExactly(first.toString());
		assertThat(get("/workflows/fulfilment?state=failed").rows("instances")).isEmpty();
		Answer instance = get("/workflows/" + first);
		assertThat(instance.json()).containsEntry("state", "RUNNING").containsEntry("percent", 0);
		assertThat(instance.rows("steps")).extracting("state").containsExactly("STARTED", "WAITING");
		assertThat(instance.rows("steps")).extracting("queue").containsOnly("emails");
		assertThat(instance.text()).contains("pay: STARTED");
		assertThat(post("/workflows/" + first + "/cancel", "{\"reason\": \"a mistake\"}").json())
			.isEqualTo(Map.of("operation", "cancel", "workflow", first.toString()));
		assertThat(get("/workflows/" + first).rows("steps")).extracting("state")
			.containsExactly("CANCELLED", "SKIPPED");
		assertThat(post("/workflows/" + first + "/cancel", "{}").status()).isEqualTo(404);
		assertThat(post("/workflows/" + first + "/retry", "{}").status()).isEqualTo(200);
		assertThat(get("/workflows/" + first).rows("steps")).extracting("state").containsExactly("STARTED", "WAITING");
		assertThat(post("/workflows/fulfilment/retry", "{}").status()).isEqualTo(404);
		assertThat(post("/workflows/" + first + "/pause", "{}").status()).isEqualTo(400);
		assertThat(get("/workflows/none").status()).isEqualTo(404);
		assertThat(get("/workflows/" + UUID.randomUUID()).status()).isEqualTo(404);
		assertThat(get("/workflows/fulfilment?x=1").status()).isEqualTo(400);
		assertThat(get("/workflows/fulfilment?state=none").status()).isEqualTo(400);
		this.sql.sql("UPDATE jobqueue_workflow SET name = 'a-b-c-d-e'").update();
		assertThat(get("/workflows/a-b-c-d-e").rows("instances")).hasSize(2);
	}

	@Test
	void jobIsExplained() {
		UUID first = enqueue("first");
		assertThat(get("/jobs/" + first + "/why").json()).containsEntry("job", first.toString())
			.containsEntry("reason", "UNSERVED")
			.containsEntry("sentence", "No worker is alive that could serve queue 'emails'")
			.containsKey("remedy")
			.doesNotContainKeys("jobs", "batch", "workers", "nearest", "since", "until", "error");
		UUID second = enqueue(JobRequest.of("emails", new Mail("second")).after(first));
		assertThat(get("/jobs/" + second + "/why").json()).containsEntry("reason", "PREDECESSORS")
			.containsEntry("jobs", List.of(first.toString()));
		UUID failed = enqueueFailed("hello");
		assertThat(get("/jobs/" + failed + "/why").json()).containsEntry("reason", "RETRYING")
			.containsEntry("error", "java.lang.IllegalStateException: Timeout of acme")
			.containsEntry("until", job(failed).runAt().toString());
		operations().pause("emails");
		assertThat(get("/jobs/" + first + "/why").json()).containsEntry("reason", "PAUSED").containsKey("since");
	}

	@Test
	void explanationOfAnUnknownJobIsNotFound() {
		Answer unknown = get("/jobs/" + UUID.randomUUID() + "/why");
		assertThat(unknown.status()).isEqualTo(404);
		assertThat(unknown.json()).containsEntry("reason", "UNKNOWN");
		assertThat(unknown.text()).contains("There is no job with this id");
		assertThat(get("/jobs/1/why").status()).isEqualTo(400);
		assertThat(get("/jobs/" + UUID.randomUUID() + "/why?x=1").status()).isEqualTo(400);
		assertThat(get("/jobs/" + UUID.randomUUID() + "/how").status()).isEqualTo(400);
	}

	@Test
	void familyIsListed() {
		UUID root = enqueue("root");
		UUID child = enqueue("child");
		enqueue("other");
		this.sql.sql("UPDATE jobqueue_job SET parent_id = ?, root_id = ? WHERE id = ?")
			.params(root, root, child)
			.update();
		assertThat(get("/jobs?root=" + root).rows("jobs")).extracting("id")
			.containsExactlyInAnyOrder(root.toString(), child.toString());
		assertThat(get("/jobs/" + child).part("details")).containsEntry("parent", root.toString())
			.containsEntry("root", root.toString());
		assertThat(get("/jobs?root=1").status()).isEqualTo(400);
	}

	@Test
	void membersOfABatchAreListed() {
		Batch batch = batch("import-42");
		enqueue("other");
		assertThat(get("/jobs?batch=" + batch.id()).rows("jobs")).hasSize(2);
		assertThat(get("/jobs?batch=" + UUID.randomUUID()).rows("jobs")).isEmpty();
		assertThat(get("/jobs?batch=1").text()).contains("'batch' must be the id of a batch, but is '1'");
	}

	@Test
	void batchIsListedUntilItHasFinished() {
		Batch batch = batch("import-42");
		Answer all = get("/batches");
		assertThat(all.rows("batches")).singleElement()
			.satisfies((open) -> assertThat(open).containsEntry("id", batch.id().toString())
				.containsEntry("name", "import-42")
				.containsEntry("total", 2)
				.containsEntry("succeeded", 0)
				.containsEntry("dead", 0)
				.containsEntry("cancelled", 0)
				.containsKey("startedAt")
				.doesNotContainKeys("sealedAt", "finishedAt"));
		assertThat(get("/batches/" + batch.id()).json()).isEqualTo(all.rows("batches").get(0));
		post("/bulk/cancel", "{\"queue\": \"emails\"}");
		batch.seal();
		await().untilAsserted(() -> assertThat(get("/batches").rows("batches")).isEmpty());
		assertThat(get("/batches/" + batch.id()).json()).containsEntry("cancelled", 2)
			.containsKeys("sealedAt", "finishedAt");
		assertThat(get("/batches/" + UUID.randomUUID()).status()).isEqualTo(404);
		assertThat(get("/batches/1").status()).isEqualTo(400);
	}

	@Test
	void jobIsShownWithItsPayload() {
		UUID job = enqueueFailed("hello");
		Answer answer = get("/jobs/" + job);
		assertThat(answer.json()).containsEntry("id", job.toString())
			.containsEntry("key", "mail-1")
			.containsEntry("error", "java.lang.IllegalStateException: Timeout of acme")
			.containsEntry("startedAt", "2026-11-21T12:00:00Z")
			.containsEntry("expiresAt", "2099-11-21T12:00:00Z")
			.doesNotContainKey("finishedAt");
		Map<String, Object> details = answer.part("details");
		assertThat(details).containsEntry("headers", Map.of("tenant", "acme"))
			.containsEntry("payload", Map.of("content", "{\"text\":\"hello\"}", "binary", false, "size", 16))
			.containsEntry("progress", Map.of("percent", 5, "message", "acme"))
			.containsEntry("history",
					List.of(Map.of("attempt", 1, "began", "2026-11-21T12:00:00Z", "ended", "2026-11-21T12:00:01.500Z",
							"worker", "host:4711", "outcome", "RETRIED", "error",
							"java.lang.IllegalStateException: Timeout of acme")));
		assertThat(details.get("error").toString()).contains("Mails.java:7");
		assertThat(get("/queues/emails/job?key=mail-1").json()).isEqualTo(answer.json());
	}

	@Test
	void everyFieldOfAJobIsShown() {
		UUID job = enqueue(JobRequest.of("emails", new Mail("")).key("k").group("g").orderedBy("o").limitedBy("l"));
		post("/jobs/" + job + "/cancel", "{}");
		this.sql
			.sql("""
					INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues)
					VALUES ('00000000-0000-0000-0000-000000000004', now(), now(), 600000, gen_random_uuid(), true, 'other', '');
					UPDATE jobqueue_archive
					SET attempts = 2, failures = 3, expected_failures = 4, max_attempts = 5, priority = 6, seq = 7, last_error = 'no',
					    created_at = '2026-11-21T01:00:00Z', run_at = '2026-11-21T02:00:00Z', started_at = '2026-11-21T03:00:00Z',
					    finished_at = '2026-11-21T04:00:00Z', expires_at = '2026-11-21T05:00:00Z',
					    ancestor_id = '00000000-0000-0000-0000-000000000001', parent_id = '00000000-0000-0000-0000-000000000002',
					    root_id = '00000000-0000-0000-0000-000000000003', locked_by = '00000000-0000-0000-0000-000000000004'
					""")
			.update();
		Map<String, Object> row = get("/jobs?queue=emails").rows("jobs").get(0);
		assertThat(row).containsExactlyInAnyOrderEntriesOf(Map.ofEntries(Map.entry("id", job.toString()),
				Map.entry("queue", "emails"), Map.entry("type", "Mail"), Map.entry("priority", 6),
				Map.entry("state", "CANCELLED"), Map.entry("attempt", 2), Map.entry("maxAttempts", 5),
				Map.entry("failures", 3), Map.entry("enqueuedAt", "2026-11-21T01:00:00Z"),
				Map.entry("runAt", "2026-11-21T02:00:00Z"), Map.entry("startedAt", "2026-11-21T03:00:00Z"),
				Map.entry("finishedAt", "2026-11-21T04:00:00Z"), Map.entry("expiresAt", "2026-11-21T05:00:00Z"),
				Map.entry("position", 7), Map.entry("key", "k"), Map.entry("group", "g"), Map.entry("worker", "other"),
				Map.entry("cancelRequested", false), Map.entry("error", "no")));
		Map<String, Object> single = get("/jobs/" + job).json();
		assertThat(single).containsAllEntriesOf(row).hasSize(row.size() + 1);
		assertThat(get("/jobs/" + job).part("details")).containsExactlyInAnyOrderEntriesOf(Map.of("headers", Map.of(),
				"payload", Map.of("content", "{\"text\":\"\"}", "binary", false, "size", 11), "error", "no",
				"expectedFailures", 4, "orderingKey", "o", "limitKey", "l", "ancestor",
				"00000000-0000-0000-0000-000000000001", "parent", "00000000-0000-0000-0000-000000000002", "root",
				"00000000-0000-0000-0000-000000000003"));
	}

	@Test
	void errorOfAnEarlierAttemptIsOnlyADetailOfASucceededJob() {
		UUID job = enqueueFailed("hello");
		post("/bulk/cancel", "{\"queue\": \"emails\"}");
		this.sql.sql("UPDATE jobqueue_archive SET state = 'SUCCEEDED'").update();
		assertThat(get("/jobs?state=SUCCEEDED").rows("jobs")).singleElement()
			.satisfies((row) -> assertThat(row).containsEntry("failures", 1).doesNotContainKey("error"));
		assertThat(get("/jobs/" + job).part("details").get("error").toString()).contains("Mails.java:7");
	}

	@Test
	void longErrorsAreCut() {
		UUID job = enqueueFailed("");
		this.sql.sql("UPDATE jobqueue_job SET last_error = repeat('e', 299) || repeat('😀', 20000)").update();
		assertThat(get("/jobs?state=RETRYING").rows("jobs").get(0).get("error").toString())
			.isEqualTo("e".repeat(299) + "?");
		assertThat(get("/jobs/" + job).part("details").get("error").toString()).hasSizeLessThanOrEqualTo(10_000);
	}

	@Test
	void groupIsCounted() {
		enqueue(JobRequest.of("emails", new Mail("")).group("import 1"));
		enqueue(JobRequest.of("emails", new Mail("")).group("import 2"));
		enqueue(JobRequest.of("emails", new Mail("")));
		enqueue(JobRequest.of("letters", new Mail("")).group("import 1"));
		assertThat(get("/queues/emails/group?name=import+1").json())
			.isEqualTo(Map.of("jobs", Map.of("READY", 1), "total", 1, "finished", 0));
	}

	@Test
	void groupIsCountedOverAllQueues() {
		enqueue(JobRequest.of("emails", new Mail("")).group("import 1"));
		enqueue(JobRequest.of("faxes", new Mail("")).group("import 1"));
		assertThat(get("/groups?name=import+1").json())
			.isEqualTo(Map.of("jobs", Map.of("READY", 2), "total", 2, "finished", 0));
	}

	@Test
	void jobIsChangedByItsKey() {
		UUID job = enqueue(JobRequest.of("emails", new Mail("")).key("a/b"));
		assertThat(post("/queues/emails/job/reprioritise", "{\"key\": \"a/b\", \"priority\": 3}").json())
			.isEqualTo(Map.of("operation", "reprioritise", "affected", 1, "queue", "emails"));
		post("/queues/emails/job/reschedule", "{\"key\": \"a/b\", \"runAt\": \"2030-01-01T00:00:00Z\"}");
		assertThat(get("/jobs/" + job).json()).containsEntry("priority", 3)
			.containsEntry("runAt", "2030-01-01T00:00:00Z");
		assertThat(post("/queues/emails/job/cancel", "{\"key\": \"a/b\"}").json())
			.isEqualTo(Map.of("operation", "cancel", "affected", 1, "queue", "emails", "outcome", "CANCELLED"));
		assertThat(get("/jobs/" + job).json()).containsEntry("state", "CANCELLED");
		assertThat(post("/queues/emails/job/cancel", "{\"key\": \"a/b\"}").status()).isEqualTo(404);
		assertThat(post("/queues/emails/job/reprioritise", "{\"key\": \"a/b\", \"priority\": 3}").status())
			.isEqualTo(404);
	}

	@Test
	void requestWithoutABodyIsAnsweredWithWhatIsMissing() {
		UUID job = enqueue("one");
		for (String path : List.of("/jobs/" + job + "/cancel", "/bulk/delete", "/queues/emails/job/cancel")) {
			Answer answer = postNothing(path);
			assertThat(answer.status()).as(answer.text()).isEqualTo(400);
			assertThat(answer.json()).containsEntry("reason", "INVALID");
			assertThat(answer.json().get("message").toString()).contains("curl --json '{}'");
		}
		assertThat(operations().stats().count(JobState.READY)).isOne();
	}

	@Test
	void queueThatIsNotKnownIsPausedAndSaidToBe() {
		enqueue("one");
		assertThat(post("/queues/emial/pause", "{}").json()).containsEntry("known", false);
		assertThat(post("/queues/emails/pause", "{}").json()).containsEntry("known", true);
		assertThat(post("/queues/default/pause", "{}").json()).containsEntry("known", false);
		assertThat(post("/queues/emial/resume", "{}").json()).containsEntry("known", false);
		assertThat(operations().pauses()).hasSize(2);
	}

	@Test
	void jobIsChanged() {
		UUID job = enqueueFailed("");
		assertThat(post("/jobs/" + job + "/retry", "{}").json())
			.isEqualTo(Map.of("operation", "retry", "affected", 1, "job", job.toString()));
		assertThat(job(job).state()).isEqualTo(JobState.READY);
		post("/jobs/" + job + "/reschedule", "{\"runAt\": \"2100-01-01T00:00:00Z\"}");
		assertThat(job(job).runAt()).isEqualTo(Instant.parse("2100-01-01T00:00:00Z"));
		post("/jobs/" + job + "/reprioritise", "{\"priority\": \"user-visible\"}");
		assertThat(job(job).priority()).isEqualTo(Priority.USER_VISIBLE);
		post("/jobs/" + job + "/reprioritise", "{\"priority\": 33}");
		assertThat(job(job).priority()).isEqualTo(Priority.of(33));
		assertThat(post("/jobs/" + job + "/cancel", "{}").json()).containsEntry("outcome", "CANCELLED");
		assertThat(post("/jobs/" + job + "/cancel", "{}").json()).containsEntry("affected", 0);
		Object copy = post("/jobs/" + job + "/replay", "{}").json().get("copy");
		assertThat(get("/jobs/" + copy).part("details")).containsEntry("ancestor", job.toString());
		assertThat(post("/jobs/" + job + "/delete", "{}").status()).isEqualTo(200);
		assertThat(operations().find(job)).isEmpty();
	}

	@Test
	void jobRunsHereAndReturnsTheExceptionOfItsHandler() {
		UUID well = enqueue("well");
		assertThat(post("/jobs/" + well + "/run", "{}").json()).containsEntry("state", "SUCCEEDED")
			.doesNotContainKey("exception");
		UUID failing = enqueue("fail");
		Answer failed = post("/jobs/" + failing + "/run", "{}");
		assertThat(failed.status()).isEqualTo(200);
		assertThat(failed.json()).containsEntry("state", "RETRYING");
		assertThat(failed.json().get("exception").toString())
			.startsWith("java.lang.IllegalArgumentException: acme fails")
			.contains("WebApplication.handle");
	}

	@Test
	void refusalThatAHandlerRunsIntoIsItsOwn() {
		Answer failed = post("/jobs/" + enqueue("look after another") + "/run", "{}");
		assertThat(failed.status()).isEqualTo(200);
		assertThat(failed.json().get("exception").toString()).contains("There is no other job");
	}

	@Test
	@Tag("slow") // waits for a lock time-out of 5 s
	void lockedJobIsAConflict() {
		UUID job = enqueue("one");
		Answer answer = whileLocked(job, () -> post("/jobs/" + job + "/delete", "{}"));
		assertThat(answer.status()).as(answer.text()).isEqualTo(409);
		assertThat(answer.json()).containsEntry("reason", "LOCKED");
		assertThat(operations().find(job)).isPresent();
	}

	@Test
	void failureToClaimAJobIsNotItsHandlers() {
		UUID job = enqueue("well");
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
				CREATE TRIGGER refuse BEFORE UPDATE ON jobqueue_job FOR EACH ROW EXECUTE FUNCTION refuse()
				""").update();
		try {
			assertThat(post("/jobs/" + job + "/run", "{}").status()).isEqualTo(503);
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse CASCADE").update();
		}
	}

	@Test
	void queueIsPausedResumedAndCleared() {
		enqueue("one");
		post("/queues/emails/pause", "{}");
		post("/queues/emails/pause", "{\"type\": \"Mail\"}");
		assertThat(operations().pauses()).hasSize(2);
		post("/queues/emails/resume", "{\"type\": \"Mail\"}");
		post("/queues/emails/resume", "{}");
		assertThat(operations().pauses()).isEmpty();
		assertThat(post("/queues/emails/clear", "{}").json())
			.isEqualTo(Map.of("operation", "clear", "affected", 1, "queue", "emails"));
	}

	@Test
	void manyJobsAreChanged() {
		UUID failed = enqueueFailed("");
		UUID other = enqueue("other");
		assertThat(post("/bulk/retry", "{\"queue\": \"emails\", \"error\": \"TIMEOUT\"}").json())
			.isEqualTo(Map.of("operation", "retry", "affected", 1));
		assertThat(job(failed).attempt()).isZero();
		assertThat(post("/bulk/reprioritise", "{\"all\": \"true\", \"priority\": \"33\"}").json())
			.containsEntry("affected", 2);
		assertThat(List.of(job(failed), job(other))).extracting((job) -> job.priority().value()).containsOnly(33);
		post("/bulk/reschedule", "{\"queue\": \"emails\", \"runAt\": \"2100-01-01T00:00:00Z\"}");
		assertThat(job(other).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(post("/bulk/cancel", "{\"key\": \"mail-1\"}").json()).containsEntry("affected", 1);
		assertThat(post("/bulk/replay", "{\"state\": \"CANCELLED\"}").json()).containsEntry("affected", 1);
		assertThat(post("/bulk/delete", "{\"all\": true}").json()).containsEntry("affected", 3);
	}

	/**
	 * A condition that is mistyped, or for which a script has no value, must not widen
	 * what is done.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					/bulk/delete         | {"queue": "emails", "stat": "DEAD"} | Unknown parameter 'stat'
					/bulk/delete         | {"queue": ""}                       | 'queue' has no value
					/bulk/delete         | {"queue": null}                     | 'queue' has no value
					/bulk/delete         | {}                                  | Set a condition
					/bulk/delete         | {"all": "true", "queue": "emails"}  | Set a condition
					/bulk/delete         | {"all": "yes"}                      | 'all' must be true or omitted, but is 'yes'
					/bulk/delete         | {"queue": "emails", "limit": 1}     | Unknown parameter 'limit'
					/bulk/delete         | {"state": "DAED"}                   | 'state' must be one or more of [SCHEDULED
					/bulk/delete?queue=a&queue=b | {}                          | 'queue' is given more than once
					/bulk/delete         | {"queue": "a\\u0000"}               | 'queue' contains the character NUL or an unpaired surrogate, which no stored text does
					/bulk/reschedule     | {"queue": "emails"}                 | 'runAt' is missing
					/bulk/reschedule     | {"queue": "emails", "runAt": "now"} | 'runAt' must be a time such as
					/bulk/reschedule     | {"queue": "emails", "runAt": "+99999-01-01T00:00:00Z"} | 'runAt' must be a time such as
					/bulk/reschedule     | {"queue": "emails", "runAt": "1969-12-31T23:59:59Z"} | 'runAt' must be a time such as
					/bulk/reprioritise   | {"queue": "emails", "priority": 100} | or a number from 0 to 99, but is '100'
					/bulk/drop           | {"queue": "emails"}                 | Unknown bulk operation 'drop'
					/queues/emails/clear | {"type": "Fax"}                     | Unknown parameter 'type'
					/queues/emails/drop  | {}                                  | Unknown queue operation 'drop'
					/queues/E/pause      | {}                                  | 'E' is not a queue name
					/jobs/7/delete       | {}                                  | '7' is not a job id: jobs/{id} takes a UUID
					/queues/emails/job/cancel | {}                             | 'key' is missing
					/queues/emails/job/drop | {"key": "k"}                     | Unknown operation 'drop' of a job by its key
					/queues/emails/group/drop | {}                             | Unknown path 'queues/emails/group'
					/tables/jobs/drop    | {}                                  | Unknown path 'tables'
					""")
	void invalidRequestChangesNothing(String path, String json, String message) {
		enqueue("one");
		Answer answer = post(path, json);
		assertThat(answer.status()).as(answer.text()).isEqualTo(400);
		assertThat(answer.json()).containsEntry("reason", "INVALID");
		assertThat(answer.json().get("message").toString()).contains(message);
		assertThat(operations().stats().count(JobState.READY)).isOne();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			/jobs?stat=DEAD        | Unknown parameter 'stat'
			/jobs?limit=1001       | 'limit' must be a number from 1 to 1000
			/jobs?limit=many       | 'limit' must be a number from 1 to 1000, but is 'many'
			/jobs?after=there      | 'there' is not the start of a page
			/jobs?after=live.a.70000.0.0.00000000-0000-0000-0000-000000000000 | is not the start of a page
			/jobs/7                | '7' is not a job id: jobs/{id} takes a UUID
			/groups                | 'name' is missing
			/queues/emails/job     | 'key' is missing
			/queues/emails/group   | 'name' is missing
			/queues/emails/rows    | Unknown path 'queues/emails/rows'
			/tables                | Unknown path 'tables'
			""")
	void invalidQueryIsRefused(String path, String message) {
		Answer answer = get(path);
		assertThat(answer.status()).as(answer.text()).isEqualTo(400);
		assertThat(answer.json().get("message").toString()).contains(message);
	}

	@Test
	void jobThatIsNotThereIsNotFound() {
		UUID unknown = UUID.randomUUID();
		for (Answer answer : List.of(get("/jobs/" + unknown), post("/jobs/" + unknown + "/retry", "{}"),
				post("/jobs/" + unknown + "/cancel", "{}"), get("/queues/emails/job?key=unknown"))) {
			assertThat(answer.status()).isEqualTo(404);
			assertThat(answer.json()).containsEntry("reason", "UNKNOWN").containsKey("message");
		}
	}

	@Test
	void whatTheJobDoesNotAllowIsAConflict() {
		UUID job = enqueue("one");
		Answer answer = post("/jobs/" + job + "/retry", "{}");
		assertThat(answer.status()).isEqualTo(409);
		assertThat(answer.json()).containsEntry("reason", "UNFINISHED");
		assertThat(answer.json().get("message").toString()).contains("has not started yet");
	}

}
