package io.jobqueue.internal.dashboard.view;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;

/**
 * What an error page says.
 *
 * @param status the status of the response
 * @param message what is wrong, a sentence
 * @param path the path of the request below that of the dashboard
 */
public record ErrorPage(int status, String message, String path) {

	private static final Pattern ACTION_ON_JOB = Pattern.compile("(/jobs/[^/]+)/[^/]+");

	/**
	 * Return the title of the page.
	 * @return such as {@code Not Found}
	 */
	public String title() {
		HttpStatus known = HttpStatus.resolve(this.status);
		return (known != null) ? known.getReasonPhrase() : "Error " + this.status;
	}

	/**
	 * Return the page of the job whose action was refused.
	 * @return its path below that of the dashboard, {@code null} for no such page
	 */
	public @Nullable String job() {
		Matcher action = ACTION_ON_JOB.matcher(this.path);
		return (this.status != HttpStatus.NOT_FOUND.value() && action.matches()) ? action.group(1) : null;
	}

}
