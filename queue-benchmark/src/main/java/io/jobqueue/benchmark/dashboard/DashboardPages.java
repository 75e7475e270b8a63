package io.jobqueue.benchmark.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The pages that are loaded, by the name of their figure: their paths below that of the
 * dashboard.
 */
final class DashboardPages {

	private static final String ERROR = "&fingerprint=java.net.ConnectException+at+com.acme.Client3.send";

	static final Map<String, String> PAGES = pages();

	/**
	 * Pages of which a page before them has a part of the readings.
	 */
	static final Set<String> SHARING = Set.of("dead_type", "dead_none");

	private DashboardPages() {
	}

	private static Map<String, String> pages() {
		Map<String, String> pages = new LinkedHashMap<>();
		pages.put("overview", "");
		charts(pages);
		lists(pages);
		pages.put("errors", "/errors");
		pages.put("job", "/jobs/" + DashboardTables.CHILD);
		pages.put("job_parent", "/jobs/" + DashboardTables.PARENT);
		dead(pages);
		pages.put("recurring", "/recurring");
		pages.put("batches", "/batches");
		pages.put("batch", "/batches/" + DashboardTables.BATCH);
		pages.put("workflows", "/workflows");
		pages.put("workflow", "/workflows?name=workflow-3");
		pages.put("workflow_running", "/workflows?name=workflow-3&state=RUNNING");
		pages.put("workflow_failed", "/workflows?name=workflow-3&state=FAILED");
		pages.put("workflow_succeeded", "/workflows?name=workflow-3&state=SUCCEEDED");
		pages.put("instance", "/workflows/" + DashboardTables.INSTANCE);
		pages.put("workers", "/workers");
		pages.put("pauses", "/pauses");
		pages.put("log", "/log");
		pages.put("log_operator", "/log?operator=operator-3");
		previews(pages);
		return pages;
	}

	/**
	 * Charts of the same time and queue are drawn from one reading.
	 */
	private static void charts(Map<String, String> pages) {
		pages.put("chart_hour", "/charts/throughput.json?range=hour");
		pages.put("chart_day", "/charts/failures.json?range=day");
		pages.put("chart_week", "/charts/run-time.json?range=week");
		pages.put("chart_hour_queue", "/charts/age.json?range=hour&queue=queue-3");
		pages.put("chart_week_queue", "/charts/throughput.json?range=week&queue=queue-3");
	}

	private static void lists(Map<String, String> pages) {
		pages.put("jobs", "/jobs");
		pages.put("jobs_queue", "/jobs?queue=queue-3");
		pages.put("jobs_type", "/jobs?type=type-3");
		pages.put("jobs_running", "/jobs?state=RUNNING");
		pages.put("jobs_retrying", "/jobs?queue=queue-3&state=RETRYING");
		pages.put("jobs_succeeded", "/jobs?queue=queue-3&type=type-3&state=SUCCEEDED");
		pages.put("jobs_error", "/jobs?queue=queue-3" + ERROR);
		pages.put("jobs_text", "/jobs?error=refused");
		pages.put("jobs_key", "/jobs?queue=queue-3&key=key-7");
		pages.put("jobs_group", "/jobs?group=import");
		pages.put("jobs_root", "/jobs?root=" + DashboardTables.PARENT);
		pages.put("jobs_none", "/jobs?type=none");
		pages.put("jobs_no_text", "/jobs?error=none+has+this+text");
	}

	private static void dead(Map<String, String> pages) {
		pages.put("dead", "/dead");
		pages.put("dead_queue", "/dead?queue=queue-3");
		pages.put("dead_type", "/dead?type=type-3");
		pages.put("dead_queue_type", "/dead?queue=queue-3&type=type-3");
		pages.put("dead_error", "/dead?queue=queue-3" + ERROR);
		pages.put("dead_none", "/dead?type=none");
	}

	private static void previews(Map<String, String> pages) {
		pages.put("preview_queue", "/bulk/cancel?queue=queue-3");
		pages.put("preview_type", "/bulk/run?queue=queue-3&type=type-3");
		pages.put("preview_retry", "/bulk/retry?queue=queue-3&type=type-3");
		pages.put("preview_error", "/bulk/retry?queue=queue-3" + ERROR);
		pages.put("preview_dead", "/bulk/replay?state=DEAD");
		pages.put("preview_dead_type", "/bulk/delete?state=DEAD&type=type-3");
		pages.put("preview_none", "/bulk/cancel?type=none");
	}

}
