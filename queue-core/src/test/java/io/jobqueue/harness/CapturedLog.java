package io.jobqueue.harness;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * What the queue logs, usually from INFO upwards, until this is closed.
 */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.jobqueue");

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	private final Level levelBefore = this.logger.getLevel();

	/**
	 * Start to capture.
	 */
	public CapturedLog() {
		start();
		this.logger.addAppender(this);
	}

	/**
	 * Capture what is logged at DEBUG, too.
	 * @return the log
	 */
	public static CapturedLog ofEverything() {
		CapturedLog log = new CapturedLog();
		log.logger.setLevel(Level.DEBUG);
		return log;
	}

	@Override
	protected void append(ILoggingEvent event) {
		event.prepareForDeferredProcessing();
		this.events.add(event);
	}

	/**
	 * Return the messages of all lines.
	 * @return the messages
	 */
	public List<String> messages() {
		return this.events.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	/**
	 * Return the messages that contain the given text.
	 * @param text what to look for
	 * @return the messages
	 */
	public List<String> messages(String text) {
		return messages().stream().filter((message) -> message.contains(text)).toList();
	}

	/**
	 * Return the MDC of each line that contains the given text.
	 * @param text what to look for
	 * @return the entries
	 */
	public List<Map<String, String>> mdc(String text) {
		return this.events.stream()
			.filter((event) -> event.getFormattedMessage().contains(text))
			.map(ILoggingEvent::getMDCPropertyMap)
			.toList();
	}

	/**
	 * Return the level of each line that contains the given text.
	 * @param text what to look for
	 * @return the levels
	 */
	public List<String> levels(String text) {
		return this.events.stream()
			.filter((event) -> event.getFormattedMessage().contains(text))
			.map((event) -> event.getLevel().toString())
			.toList();
	}

	/**
	 * Return the name of the logger of each line that contains the given text.
	 * @param text what to look for
	 * @return the names
	 */
	public List<String> loggers(String text) {
		return this.events.stream()
			.filter((event) -> event.getFormattedMessage().contains(text))
			.map(ILoggingEvent::getLoggerName)
			.toList();
	}

	/**
	 * Return what each line that contains the given text has for structured logs.
	 * @param text what to look for
	 * @return the keys with their values, as text
	 */
	public List<Map<String, String>> pairs(String text) {
		return this.events.stream()
			.filter((event) -> event.getFormattedMessage().contains(text))
			.map(CapturedLog::pairs)
			.toList();
	}

	private static Map<String, String> pairs(ILoggingEvent event) {
		List<KeyValuePair> pairs = event.getKeyValuePairs();
		return (pairs == null) ? Map.of()
				: pairs.stream().collect(Collectors.toMap((pair) -> pair.key, (pair) -> String.valueOf(pair.value)));
	}

	/**
	 * Return the step that each line about a job names.
	 * @param job the id of the job
	 * @return the values of {@code job.step}
	 */
	public List<String> steps(String job) {
		return this.events.stream()
			.filter((event) -> job.equals(event.getMDCPropertyMap().get("job.id")))
			.map((event) -> pairs(event).get("job.step"))
			.filter(Objects::nonNull)
			.toList();
	}

	/**
	 * Return all lines with the stack traces of their exceptions.
	 * @return the text of the log
	 */
	public String text() {
		return text("");
	}

	/**
	 * Return the lines that contain the given text, with the stack traces of their
	 * exceptions.
	 * @param text what to look for
	 * @return the text of these lines
	 */
	public String text(String text) {
		return this.events.stream()
			.filter((event) -> event.getFormattedMessage().contains(text))
			.map((event) -> event.getFormattedMessage() + "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy()))
			.collect(Collectors.joining("\n"));
	}

	@Override
	public void close() {
		this.logger.setLevel(this.levelBefore);
		this.logger.detachAppender(this);
		stop();
	}

}
