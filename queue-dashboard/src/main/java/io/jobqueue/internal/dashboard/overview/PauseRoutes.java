package io.jobqueue.internal.dashboard.overview;

import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperations;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * What is paused, and the actions that pause and resume a queue or a type of it.
 */
public final class PauseRoutes implements DashboardRoutes {

	private final Views views;

	private final JobOperations operations;

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
		MonitoringStore monitoring = stores.monitoring();
		this.paused = new CachedReading<>((actions) -> new PausedQueues(operations.pauses(),
				monitoring.servedQueues().stream().filter(StringUtils::hasText).sorted().toList()));
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET(Problem.PAUSES, this::show).POST("/queues/pause", this::pause).POST("/queues/resume", this::resume);
	}

	private ServerResponse show(ServerRequest request) {
		return this.views.page(request, "Pauses", "overview/pauses.jte", this.paused.get(this.actions.get()));
	}

	private ServerResponse pause(ServerRequest request) {
		String type = text(request, "type");
		if (type != null) {
			reasoned(request).pause(queue(request), type);
		}
		else {
			reasoned(request).pause(queue(request));
		}
		return done(request, "queue.pause");
	}

	private ServerResponse resume(ServerRequest request) {
		String type = text(request, "type");
		if (type != null) {
			reasoned(request).resume(queue(request), type);
		}
		else {
			reasoned(request).resume(queue(request));
		}
		return done(request, "queue.resume");
	}

	private JobOperations reasoned(ServerRequest request) {
		String reason = text(request, "reason");
		return (reason != null) ? this.operations.because(reason) : this.operations;
	}

	private ServerResponse done(ServerRequest request, String code) {
		this.actions.incrementAndGet();
		return this.views.redirect(request, Problem.PAUSES, code);
	}

	private static String queue(ServerRequest request) {
		String queue = text(request, "queue");
		Assert.notNull(queue, "'queue' is missing: enter the name of a queue");
		return queue;
	}

	private static @Nullable String text(ServerRequest request, String name) {
		return request.param(name).filter(StringUtils::hasText).orElse(null);
	}

}
