package io.jobqueue.internal.dashboard.workflows;

import java.util.UUID;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.Workflows;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.PathId;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * Actions on an instance of a workflow.
 */
public final class WorkflowActions implements DashboardRoutes {

	private final Views views;

	private final Workflows workflows;

	/**
	 * Create the routes.
	 * @param views redirects after an action
	 * @param workflows changes instances
	 */
	public WorkflowActions(Views views, Workflows workflows) {
		this.views = views;
		this.workflows = workflows;
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.POST("/workflows/{id}/{action}", this::run);
	}

	private ServerResponse run(ServerRequest request) {
		UUID id = PathId.of(request.pathVariable("id")).orElseThrow(WorkflowActions::unknown);
		String reason = this.views.form(request).reason();
		Workflows reasoned = (reason != null) ? this.workflows.because(reason) : this.workflows;
		String action = request.pathVariable("action");
		switch (action) {
			case "cancel" -> require(reasoned.cancel(id), id, "It has finished already, and was not cancelled.");
			case "retry" -> require(reasoned.retry(id), id,
					"There is nothing to retry: no step of it has failed, it is still being cancelled, or it has just changed.");
			default ->
				throw new RefusedRequestException(404, "There is no action '%s' of a workflow.".formatted(action));
		}
		return this.views.redirect(request, "/workflows/" + id, "workflow." + action);
	}

	private void require(boolean done, UUID id, String refusal) {
		if (!done) {
			throw this.workflows.find(id).isPresent() ? new RefusedRequestException(409, refusal) : unknown();
		}
	}

	static RefusedRequestException unknown() {
		return new RefusedRequestException(404,
				"There is no instance of a workflow with this id. Finished instances are deleted after their retention (jobqueue.workflows.retention).");
	}

}
