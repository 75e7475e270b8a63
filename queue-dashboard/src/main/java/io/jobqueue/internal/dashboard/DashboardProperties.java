package io.jobqueue.internal.dashboard;

import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;

/**
 * Settings of the dashboard.
 *
 * @param path Path of the dashboard, below the context path of the application and the
 * path of its dispatcher servlet.
 * @param roles Roles of the users who see and change the queue, with Spring Security.
 * @param unsecured Without Spring Security: loopback for requests from this machine, to
 * this machine, without a proxy. Default: the dashboard is off.
 * @param showValues Whether to show payloads, headers, keys and the texts of errors.
 * @param traceLink Address of a trace in the tracing system, with {traceId} in place of
 * its id. Default: no link.
 */
@ConfigurationProperties(prefix = "jobqueue.dashboard", ignoreUnknownFields = false)
public record DashboardProperties(@DefaultValue("/jobqueue") String path, @DefaultValue Roles roles,
		@Nullable String unsecured, @DefaultValue("false") boolean showValues, @Nullable String traceLink) {

	private static final Pattern PATH = Pattern.compile("(/(?!\\.{1,2}(/|$))[\\w.~-]+)+");

	/**
	 * Other schemes, such as that of scripts, are excluded, and other hosts without one.
	 */
	private static final Pattern TRACE_LINK = Pattern.compile("(https?://|/(?![/\\\\])).*\\{traceId}.*");

	private static final String LOOPBACK = "loopback";

	/**
	 * Create the settings.
	 * @param path the path
	 * @param roles the roles
	 * @param unsecured {@code loopback}, or no text
	 * @param showValues whether to show values
	 * @param traceLink the address of a trace, or no text
	 */
	public DashboardProperties {
		unsecured = StringUtils.hasText(unsecured) ? unsecured : null;
		traceLink = StringUtils.hasText(traceLink) ? traceLink : null;
	}

	/**
	 * Check the values.
	 * @throws InvalidConfigurationException if one of them is invalid
	 */
	public void check() {
		require(PATH.matcher(this.path).matches(), "path", this.path,
				"Write a path such as /jobqueue: it begins with a slash, ends without one, and has letters, digits and . _ ~ - between slashes.");
		require(this.unsecured == null || this.unsecured.equals(LOOPBACK), "unsecured", this.unsecured,
				"Write loopback, or remove the setting.");
		require(this.traceLink == null || TRACE_LINK.matcher(this.traceLink).matches(), "trace-link", this.traceLink,
				"Write an address that begins with http://, https:// or one slash, and contains {traceId}.");
	}

	private static void require(boolean valid, String setting, @Nullable String value, String action) {
		if (!valid) {
			throw new InvalidConfigurationException(
					"The setting 'jobqueue.dashboard.%s' is '%s'.".formatted(setting, value), action);
		}
	}

	/**
	 * Return what hides values of the application.
	 * @return the sanitizer
	 */
	public ValueSanitizer sanitizer() {
		return new ValueSanitizer(this.showValues, "jobqueue.dashboard.show-values");
	}

	/**
	 * Return whether requests from this machine need no user.
	 * @return {@code true} if the setting says so
	 */
	public boolean loopback() {
		return this.unsecured != null;
	}

	/**
	 * Roles of users.
	 *
	 * @param read Comma-separated list of the roles of users who see the dashboard.
	 * @param write Comma-separated list of the roles of users who see the dashboard and
	 * change jobs and queues.
	 */
	public record Roles(@DefaultValue Set<String> read, @DefaultValue Set<String> write) {

		/**
		 * Return whether any user has access.
		 * @return {@code false} if there are no roles
		 */
		public boolean areSet() {
			return !this.read.isEmpty() || !this.write.isEmpty();
		}

	}

}
