package io.jobqueue.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Hands all that a request names to the operations of {@link JobQueueEndpoint}, which
 * would else not hear of what they do not expect, and answers with what they refuse.
 */
public final class EndpointRequests implements OperationInvokerAdvisor {

	private static final EndpointId ENDPOINT = EndpointId.of(JobQueueEndpoint.ID);

	@Override
	public OperationInvoker apply(EndpointId endpoint, OperationType type, OperationParameters parameters,
			OperationInvoker invoker) {
		return endpoint.equals(ENDPOINT) ? (context) -> answer(context, parameters, invoker) : invoker;
	}

	private static @Nullable Object answer(InvocationContext context, OperationParameters parameters,
			OperationInvoker invoker) {
		Map<String, @Nullable Object> named = new LinkedHashMap<>(context.getArguments());
		parameters.forEach((parameter) -> named.remove(parameter.getName()));
		SecurityContext user = Objects.requireNonNull(context.resolveArgument(SecurityContext.class));
		try {
			return invoker.invoke(new InvocationContext(user, context.getArguments(),
					OperationArgumentResolver.of(Arguments.class, () -> new Arguments(named))));
		}
		catch (RuntimeException ex) {
			return Failures.answer(ex);
		}
	}

}
