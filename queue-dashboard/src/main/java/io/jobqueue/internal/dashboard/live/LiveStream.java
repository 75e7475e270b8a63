package io.jobqueue.internal.dashboard.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open response to one browser. It ends with the session of its user, and after ten
 * minutes: the browser connects again, and its access is checked again. Less than 8 kB
 * are written in that time, which fit into the buffers of a connection whose browser does
 * not read.
 */
final class LiveStream implements AsyncListener {

	private static final Duration LIFETIME = Duration.ofMinutes(10);

	private static final Logger logger = LoggerFactory.getLogger(LiveStream.class);

	private final AsyncContext response;

	private final ServletOutputStream output;

	private final @Nullable HttpSession session;

	private final Consumer<LiveStream> onEnd;

	private boolean ended;

	private LiveStream(AsyncContext response, ServletOutputStream output, @Nullable HttpSession session,
			Consumer<LiveStream> onEnd) {
		this.response = response;
		this.output = output;
		this.session = session;
		this.onEnd = onEnd;
	}

	/**
	 * Begin a response that stays open.
	 * @param onEnd called once when it has ended
	 */
	static LiveStream begin(HttpServletRequest request, HttpServletResponse response, Consumer<LiveStream> onEnd)
			throws IOException {
		AsyncContext context = request.startAsync(request, response);
		context.setTimeout(LIFETIME.toMillis());
		LiveStream stream = new LiveStream(context, response.getOutputStream(), request.getSession(false), onEnd);
		context.addListener(stream);
		return stream;
	}

	/**
	 * Write some lines, or end the stream if the browser has gone.
	 */
	synchronized void send(String lines) {
		if (this.ended) {
			return;
		}
		try {
			this.output.write(lines.getBytes(StandardCharsets.UTF_8));
			this.output.flush();
		}
		catch (IOException | RuntimeException ex) {
			end();
		}
	}

	/**
	 * End the response if its user has logged out.
	 */
	synchronized void endWithoutSession() {
		if (!this.ended && isLoggedOut()) {
			end();
		}
	}

	/**
	 * A session that has ended refuses to tell its time. Sessions that are stored
	 * elsewhere may not: their streams end with their lifetime.
	 */
	private boolean isLoggedOut() {
		try {
			return this.session != null && this.session.getCreationTime() < 0;
		}
		catch (IllegalStateException ex) {
			return true;
		}
	}

	synchronized boolean hasEnded() {
		return this.ended;
	}

	/**
	 * End the response, so that a stop of the server does not wait for it.
	 */
	synchronized void end() {
		if (!this.ended) {
			this.ended = true;
			this.onEnd.accept(this);
			complete();
		}
	}

	private void complete() {
		try {
			this.response.complete();
		}
		catch (IllegalStateException ex) {
			logger.debug("The server has already ended the response", ex);
		}
	}

	@Override
	public void onTimeout(AsyncEvent event) {
		end();
	}

	@Override
	public void onError(AsyncEvent event) {
		end();
	}

	/**
	 * The server may use its objects for another request from now on.
	 */
	@Override
	public synchronized void onComplete(AsyncEvent event) {
		if (!this.ended) {
			this.ended = true;
			this.onEnd.accept(this);
		}
	}

	@Override
	public void onStartAsync(AsyncEvent event) {
	}

}
