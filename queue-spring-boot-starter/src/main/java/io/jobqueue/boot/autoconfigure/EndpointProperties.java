package io.jobqueue.boot.autoconfigure;

import java.util.HashSet;
import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the endpoint: to which users it shows values.
 */
@ConfigurationProperties("management.endpoint.jobqueue")
class EndpointProperties {

	/**
	 * When to show payloads, headers, keys and the texts of errors: never,
	 * when-authorized or always.
	 */
	private Show showValues = Show.NEVER;

	/**
	 * Comma-separated list of the roles that authorize users to be shown values. Default:
	 * every authenticated user is authorized.
	 */
	private final Set<String> roles = new HashSet<>();

	public Show getShowValues() {
		return this.showValues;
	}

	public void setShowValues(Show showValues) {
		this.showValues = showValues;
	}

	public Set<String> getRoles() {
		return this.roles;
	}

}
