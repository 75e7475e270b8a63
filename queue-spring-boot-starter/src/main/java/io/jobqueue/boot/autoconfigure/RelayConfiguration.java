package io.jobqueue.boot.autoconfigure;

import java.util.Map;
import java.util.TreeMap;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.relay.Relay;
import io.jobqueue.internal.relay.RelayConnector;
import io.jobqueue.internal.relay.RelayTarget;
import io.jobqueue.internal.relay.RelayWorker;
import io.jobqueue.internal.worker.WorkerServices;

/**
 * Relays to brokers. A module for each kind of broker has the connector.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(value = "jobqueue.worker.enabled", byDefault = true)
class RelayConfiguration {

	@Bean
	@Lazy(false) // it takes part in the start and stop of the application
	RelayWorker jobQueueRelayWorker(WorkerServices services, NodeSettings settings,
			ObjectProvider<RelayConnector> connectors) {
		Map<String, RelayTarget> targets = new TreeMap<>();
		settings.relays().forEach((relay) -> targets.put(relay.queue(), connector(relay, connectors).connect(relay)));
		return new RelayWorker(services, settings.worker(), settings.queues()::settings, targets);
	}

	private static RelayConnector connector(Relay relay, ObjectProvider<RelayConnector> connectors) {
		return connectors.stream()
			.filter((connector) -> connector.kind().equals(relay.to()))
			.findFirst()
			.orElseThrow(() -> missing(relay));
	}

	private static InvalidConfigurationException missing(Relay relay) {
		String setting = "The setting '%s' is '%s', ".formatted(relay.setting("to"), relay.to());
		return relay.to().equals("kafka")
				? new InvalidConfigurationException(setting
						+ "but the module queue-kafka is not on the class path, or its auto-configuration is excluded.",
						"Add the dependency 'io.jobqueue:queue-kafka'.")
				: new InvalidConfigurationException(setting + "which is no known kind of broker.",
						"Set it to 'kafka'.");
	}

}
