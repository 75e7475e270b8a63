package io.jobqueue.internal.dashboard.action;

import java.time.Instant;
import java.util.UUID;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * Actions on one job. What is refused is answered with an error page.
 */
public final class ActionRoutes implements DashboardRoutes {

	private final Views views;

	private final JobOperations operations;

	/**
	 * Create the routes.
	 * @param views redirects after an action
	 * @param operations change jobs
	 */
	public ActionRoutes(Views views, JobOperations operations) {
		this.views = views;
		this.operations = operations;
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.POST("/jobs/{id}/{action}", this::run);
	}

	private ServerResponse run(ServerRequest request) {
		UUID job = ActionFields.id(request.pathVariable("id"));
		String action = request.pathVariable("action");
		Form form = this.views.form(request, ActionFields.names(action));
		ActionFields fields = new ActionFields(form);
		JobOperations reasoned = form.operations(this.operations);
		switch (action) {
			case "retry" -> reasoned.retry(job);
			case "release" -> reasoned.release(job);
			case "run" -> reasoned.reschedule(job, Instant.EPOCH);
			case "reschedule" -> reasoned.reschedule(job, fields.runAt());
			case "reprioritise" -> reasoned.reprioritise(job, fields.priority());
			case "cancel" -> {
				return cancelled(request, job, reasoned.cancel(job));
			}
			case "replay" -> {
				return done(request, "/jobs/" + reasoned.replay(job), action);
			}
			case "delete" -> reasoned.delete(job);
			default -> throw new RefusedRequestException(404, "There is no action '%s' of a job.".formatted(action));
		}
		return done(request, action.equals("delete") ? "/jobs" : "/jobs/" + job, action);
	}

	private ServerResponse cancelled(ServerRequest request, UUID job, CancelOutcome outcome) {
		return switch (outcome) {
			case CANCELLED -> done(request, "/jobs/" + job, "cancel");
			case REQUESTED -> done(request, "/jobs/" + job, "cancel-requested");
			case ALREADY_FINISHED -> throw new RefusedRequestException(409,
					"Job %s has finished already, and was not cancelled.".formatted(job));
			case UNKNOWN -> throw JobOperationException.unknown(job);
		};
	}

	private ServerResponse done(ServerRequest request, String path, String action) {
		return this.views.redirect(request, path, "job." + action);
	}

}
