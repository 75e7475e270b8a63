package io.jobqueue.sample.mail;

import java.net.InetAddress;
import java.util.Map;

import org.subethamail.smtp.server.SMTPServer;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.mail.autoconfigure.MailProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;

import io.jobqueue.sample.SampleProperties;

/**
 * Brings along a mail server where the application is not given one.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedMailServerConfiguration.NoHost.class)
@EnableConfigurationProperties(MailProperties.class)
class EmbeddedMailServerConfiguration {

	/**
	 * Where a machine's own name does not resolve, asking for it takes seconds.
	 */
	private static final Map<String, String> WITHOUT_NAME_SERVICE = Map.of("mail.host", "localhost",
			"mail.smtp.localhost", "localhost");

	@Bean(initMethod = "start", destroyMethod = "stop")
	SMTPServer mailServer(FiledMails mails, SampleProperties properties) {
		return SMTPServer.port(0)
			.bindAddress(InetAddress.getLoopbackAddress())
			.hostName("localhost")
			.softwareName("queue-sample")
			.messageHandler(new MailReceiver(mails, properties.mail().failureRate()))
			.build();
	}

	@Bean
	JavaMailSender mailSender(SMTPServer mailServer, MailProperties properties) {
		JavaMailSenderImpl sender = new JavaMailSenderImpl();
		sender.setHost(InetAddress.getLoopbackAddress().getHostAddress());
		sender.setPort(mailServer.getPortAllocated());
		sender.getJavaMailProperties().putAll(WITHOUT_NAME_SERVICE);
		sender.getJavaMailProperties().putAll(properties.getProperties());
		return sender;
	}

	static class NoHost extends NoneNestedConditions {

		NoHost() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty("spring.mail.host")
		static class Host {

		}

	}

}
