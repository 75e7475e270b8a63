package io.jobqueue.internal.dashboard.overview;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperations;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * What is paused, and the actions that pause and resume a queue or a type of it.
 */
public final class PauseRoutes implements DashboardRoutes {

	private final Views views;

	private final JobOperations operations;

	private final MonitoringStore monitoring;

	/**
	 * The key is the number of actions, so that the page after an action shows it.
	 */
	private final CachedReading<Integer, PausedQueues> paused;

	private final AtomicInteger actions = new AtomicInteger();

	/**
	 * Create the page.
	 * @param views renders it
	 * @param operations pauses and resumes
	 * @param stores reads which queues there are
	 */
	public PauseRoutes(Views views, JobOperations operations, PostgresStores stores) {
		this.views = views;
		this.operations = operations;
		this.monitoring = stores.monitoring();
		this.paused = new CachedReading<>((actions) -> new PausedQueues(operations.pauses(),
				this.monitoring.servedQueues().stream().filter(StringUtils::hasText).sorted().toList()));
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET(Problem.PAUSES, this::show).POST("/queues/pause", this::pause).POST("/queues/resume", this::resume);
	}

	private ServerResponse show(ServerRequest request) {
		Form.requireOnly(request, "queue");
		return this.views.page(request, "Pauses", "overview/pauses.jte", this.paused.get(this.actions.get()));
	}

	private ServerResponse pause(ServerRequest request) {
		Form form = this.views.form(request, "queue", "type");
		String queue = queue(form);
		String type = form.text("type");
		boolean before = isPaused(queue, type);
		if (type != null) {
			form.operations(this.operations).pause(queue, type);
		}
		else {
			form.operations(this.operations).pause(queue);
		}
		String code = this.monitoring.servedQueues().contains(queue) ? "queue.pause" : "queue.pause-unserved";
		return done(request, before ? "queue.pause-before" : code);
	}

	private ServerResponse resume(ServerRequest request) {
		Form form = this.views.form(request, "queue", "type");
		String queue = queue(form);
		String type = form.text("type");
		boolean before = !isPaused(queue, type);
		if (type != null) {
			form.operations(this.operations).resume(queue, type);
		}
		else {
			form.operations(this.operations).resume(queue);
		}
		return done(request, before ? "queue.resume-before" : "queue.resume");
	}

	private boolean isPaused(String queue, @Nullable String type) {
		return this.operations.pauses()
			.stream()
			.anyMatch((pause) -> pause.queue().equals(queue) && Objects.equals(pause.type(), type));
	}

	private static String queue(Form form) {
		return form.required("queue", "the name of a queue", Function.identity());
	}

	private ServerResponse done(ServerRequest request, String code) {
		this.actions.incrementAndGet();
		return this.views.redirect(request, Problem.PAUSES, code);
	}

}
