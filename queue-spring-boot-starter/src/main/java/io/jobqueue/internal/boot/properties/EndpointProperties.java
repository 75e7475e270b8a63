package io.jobqueue.internal.boot.properties;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the endpoint: to which users it shows values.
 *
 * @param showValues When to show payloads, headers, keys and the texts of errors: never,
 * when-authorized or always.
 * @param roles Comma-separated list of the roles that authorize users to be shown values.
 * Default: every authenticated user is authorized.
 */
@ConfigurationProperties("management.endpoint.jobqueue")
public record EndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {

}
