package io.jobqueue.internal.dashboard.view;

import org.springframework.http.HttpStatus;

/**
 * What an error page says.
 *
 * @param status the status of the response
 * @param message what is wrong, a sentence
 */
public record ErrorPage(int status, String message) {

	/**
	 * Return the title of the page.
	 * @return such as {@code Not Found}
	 */
	public String title() {
		HttpStatus known = HttpStatus.resolve(this.status);
		return (known != null) ? known.getReasonPhrase() : "Error " + this.status;
	}

}
