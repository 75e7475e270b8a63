package io.jobqueue.internal.dashboard.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.servlet.Filter;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.filter.ForwardedHeaderFilter;

import io.jobqueue.InvalidConfigurationException;

/**
 * Refuses access without users in an application that evaluates the headers of proxies:
 * requests would seem to come from the address in a header, without that header.
 */
final class ForwardingCheck {

	private static final String STRATEGY = "server.forward-headers-strategy";

	private static final Set<String> OF_TOMCAT = Set.of("server.tomcat.remoteip.remote-ip-header",
			"server.tomcat.remoteip.protocol-header");

	private ForwardingCheck() {
	}

	/**
	 * Require that the application ignores the headers of proxies.
	 * @throws InvalidConfigurationException if it does not
	 */
	static void requireNone(Environment environment, ListableBeanFactory beans) {
		String strategy = environment.getProperty(STRATEGY);
		if (strategy != null) {
			refuse(!strategy.toLowerCase(Locale.ROOT).equals("none"), "'%s' is '%s'".formatted(STRATEGY, strategy));
		}
		else {
			CloudPlatform platform = CloudPlatform.getActive(environment);
			refuse(platform != null && platform.isUsingForwardHeaders(),
					"'%s' is 'native' by default on %s".formatted(STRATEGY, platform));
		}
		for (String key : OF_TOMCAT) {
			refuse(StringUtils.hasText(environment.getProperty(key)), "'%s' is set".formatted(key));
		}
		refuse(filters(beans).anyMatch(ForwardedHeaderFilter.class::isInstance),
				"a ForwardedHeaderFilter does what '%s' does".formatted(STRATEGY));
	}

	private static Stream<Filter> filters(ListableBeanFactory beans) {
		Stream<Filter> registered = Arrays.stream(beans.getBeanNamesForType(FilterRegistrationBean.class))
			.map((name) -> beans.getBean(name, FilterRegistrationBean.class).getFilter())
			.filter(Objects::nonNull);
		return Stream.concat(beans.getBeanProvider(ForwardedHeaderFilter.class).stream(), registered);
	}

	private static void refuse(boolean forwards, String reason) {
		if (forwards) {
			throw new InvalidConfigurationException(
					"The setting 'jobqueue.dashboard.unsecured' is 'loopback', but %s: requests of other machines could look like those of this machine."
						.formatted(reason),
					"Set '%s' to none and remove what evaluates the headers of proxies, or remove 'jobqueue.dashboard.unsecured' and protect the dashboard by Spring Security."
						.formatted(STRATEGY));
		}
	}

}
