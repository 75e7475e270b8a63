package io.jobqueue.internal.dashboard.overview;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

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
		Form.requireOnly(request, "queue");
		return this.views.page(request, "Pauses", "overview/pauses.jte", this.paused.get(this.actions.get()));
	}

	private ServerResponse pause(ServerRequest request) {
		Form form = Form.of(request);
		String type = form.text("type");
		if (type != null) {
			form.operations(this.operations).pause(queue(form), type);
		}
		else {
			form.operations(this.operations).pause(queue(form));
		}
		return done(request, "queue.pause");
	}

	private ServerResponse resume(ServerRequest request) {
		Form form = Form.of(request);
		String type = form.text("type");
		if (type != null) {
			form.operations(this.operations).resume(queue(form), type);
		}
		else {
			form.operations(this.operations).resume(queue(form));
		}
		return done(request, "queue.resume");
	}

	private static String queue(Form form) {
		return form.required("queue", "the name of a queue", Function.identity());
	}

	private ServerResponse done(ServerRequest request, String code) {
		this.actions.incrementAndGet();
		return this.views.redirect(request, Problem.PAUSES, code);
	}

}
